import Pixels
import Shared

/// A sound stream of one of the task's assets, or the sound of one of its nested edits.
struct SoundStream: Hashable, Comparable {
    /// Position in the task's assets, or in its nested edits.
    var asset: Int
    /// libavformat's index.
    var index: Int
    var isNested = false

    static func < (left: SoundStream, right: SoundStream) -> Bool {
        guard left.isNested == right.isNested else { return right.isNested }
        return (left.asset, left.index) < (right.asset, right.index)
    }
}

extension SoundStream {
    init(_ segment: AudioTrackSegment) {
        self.init(asset: segment.asset, index: segment.stream, isNested: segment.isNested ?? false)
    }
}

/// One clip of a track: which source samples it is made of, and how loud it is at each of its own.
struct MixClip {
    let stream: SoundStream
    /// On the timeline, in the edit's samples.
    let target: Range<Int64>
    let resampler: Resampler
    private let segment: AudioTrackSegment
    private let volume: GainEnvelope

    init(_ segment: AudioTrackSegment, resampler: Resampler) {
        self.segment = segment
        self.resampler = resampler
        stream = SoundStream(segment)
        target = segment.start..<segment.start + segment.count
        volume = GainEnvelope(segment.volume)
    }

    private var isBackwards: Bool { segment.speed?.isNegative ?? false }

    /// The source samples that the timeline's samples `range` (within `target`) are made of.
    ///
    /// Backwards, the source is read as its mirror image, in which sample −n stands where n stood: then it runs forwards.
    func sourceRange(of range: Range<Int64>) -> Range<Int64> {
        guard isBackwards else { return resampler.sourceRange(of: own(range), start: segment.sourceStart) }
        let mirrored = resampler.sourceRange(of: own(range), start: -segment.sourceStart)
        return 1 - mirrored.upperBound..<1 - mirrored.lowerBound
    }

    /// Brings the samples of ``sourceRange(of:)`` to the edit's rate.
    /// - Parameter samples: turned around in place when the clip runs backwards.
    func convert(
        _ samples: UnsafeMutableBufferPointer<Double>,
        range: Range<Int64>,
        into output: UnsafeMutablePointer<Double>
    ) {
        if isBackwards { SampleKernels.reverse(samples) }
        guard let first = samples.baseAddress else { return }
        resampler.convert(first, range: own(range), into: output)
    }

    var isUnity: Bool { volume.isUnity && segment.fadeIn == nil && segment.fadeOut == nil }

    /// Multiplies `gains` by volume × crossfades at the timeline's samples `range`.
    func multiply(_ gains: UnsafeMutableBufferPointer<Double>, over range: Range<Int64>) {
        let own = own(range)
        if !volume.isUnity { volume.multiply(gains, from: own.lowerBound) }
        if let fade = segment.fadeIn {
            for sample in own.clamped(to: 0..<fade.count) {
                gains[Int(sample - own.lowerBound)] *= fade.gainIn(at: sample)
            }
        }
        if let fade = segment.fadeOut {
            let start = segment.count - fade.count
            for sample in own.clamped(to: start..<segment.count) {
                gains[Int(sample - own.lowerBound)] *= fade.gainOut(at: sample - start)
            }
        }
    }

    private func own(_ range: Range<Int64>) -> Range<Int64> {
        range.lowerBound - segment.start..<range.upperBound - segment.start
    }
}
