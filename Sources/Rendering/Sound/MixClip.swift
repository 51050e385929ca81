import Pixels
import Samples
import Shared

/// A sound stream of one of the task's assets, or the sound of one of its nested edits.
struct SoundStream: Hashable, Comparable {
    /// Position in the task's assets, or in its nested edits.
    var asset: Int
    /// libavformat's index.
    var index: Int
    var isNested = false
    /// What the clip says its channels make of it; nil is as their loudspeakers say.
    var map: [[Int64]]?

    static func < (left: SoundStream, right: SoundStream) -> Bool {
        guard left.isNested == right.isNested else { return right.isNested }
        guard (left.asset, left.index) == (right.asset, right.index) else {
            return (left.asset, left.index) < (right.asset, right.index)
        }
        return (left.map ?? []).joined().lexicographicallyPrecedes((right.map ?? []).joined())
    }
}

extension SoundStream {
    init(_ segment: AudioTrackSegment) {
        self.init(asset: segment.asset, index: segment.stream, isNested: segment.isNested ?? false)
        map = segment.channels
    }
}

/// One clip of a track: which source samples it is made of, and how loud it is at each of its own.
struct MixClip {
    let stream: SoundStream
    /// On the timeline, in the edit's samples.
    let target: Range<Int64>
    let resampler: Resampler
    let segment: AudioTrackSegment
    let panning: Panning
    /// The source's sample that is the clip's first one before it is stretched; a held sound begins before what it holds.
    private let sourceStart: Int64
    private let volume: GainEnvelope

    /// - Parameters:
    ///   - resampler: by the speed too, unless the clip keeps its pitch.
    ///   - isMono: whether the source has one channel.
    init(_ segment: AudioTrackSegment, resampler: Resampler, isMono: Bool = false) {
        self.segment = segment
        self.resampler = resampler
        stream = SoundStream(segment)
        let reach = segment.speed == .zero ? Int64(TimeStretch.reach(sampleRate: resampler.targetRate)) : 0
        sourceStart = segment.sourceStart - resampler.ratio.position(of: reach, start: 0).sample
        target = segment.start..<segment.start + segment.count
        volume = GainEnvelope(segment.volume)
        panning = Panning(pan: segment.pan, balance: segment.balance, isMono: isMono)
    }

    private var isBackwards: Bool { segment.speed?.isNegative ?? false }

    /// The source samples that the samples `range` of the clip are made of at the resampler's speed; `range` counts from
    /// the clip's start and begins at 0 or later.
    ///
    /// Backwards, the source is read as its mirror image, in which sample −n stands where n stood: then it runs forwards.
    func sourceRange(of range: Range<Int64>) -> Range<Int64> {
        guard isBackwards else { return resampler.sourceRange(of: range, start: sourceStart) }
        let mirrored = resampler.sourceRange(of: range, start: -segment.sourceStart)
        return 1 - mirrored.upperBound..<1 - mirrored.lowerBound
    }

    /// Where what is heard of ``sourceRange(of:)`` lies in the source.
    func sourceParts(_ range: Range<Int64>) -> SourceParts {
        guard let loop = segment.loop else { return SourceParts(range) }
        return SourceParts(range, of: loop, from: segment.sourceStart, isBackwards: isBackwards)
    }

    /// Brings the samples of ``sourceRange(of:)`` to the edit's rate.
    /// - Parameter samples: turned around in place when the clip runs backwards.
    func convert(
        _ samples: SampleKernels.Samples,
        range: Range<Int64>,
        into output: UnsafeMutablePointer<Double>
    ) {
        if isBackwards { SampleKernels.reverse(samples) }
        guard let first = samples.baseAddress else { return }
        resampler.convert(first, range: range, into: output)
    }

    /// The samples at the edit's rate, before it is stretched, that `range` of the clip is made of; nil when it is not
    /// stretched. All from the start: where a frame is taken from depends on all before it (``TimeStretch``).
    func unstretched(_ range: Range<Int64>) -> Range<Int64>? {
        guard let speed = stretch else { return nil }
        let end = (range.upperBound + 1) * speed.numerator / speed.denominator
        return 0..<end + 3 * Int64(TimeStretch.reach(sampleRate: resampler.targetRate))
    }

    /// The speed at which the clip keeps its pitch.
    var stretch: (numerator: Int64, denominator: Int64)? {
        guard segment.keepsPitch == true, let speed = segment.speed else { return nil }
        return (abs(speed.numerator), speed.denominator)
    }

    var isUnity: Bool { volume.isUnity && segment.fadeIn == nil && segment.fadeOut == nil }

    /// Multiplies `gains` by volume × crossfades at the clip's samples `range`.
    func multiply(_ gains: SampleKernels.Samples, over range: Range<Int64>) {
        if !volume.isUnity { volume.multiply(gains, from: range.lowerBound) }
        if let fade = segment.fadeIn {
            for sample in range.clamped(to: 0..<fade.count) {
                gains[Int(sample - range.lowerBound)] *= fade.gainIn(at: sample)
            }
        }
        if let fade = segment.fadeOut {
            let start = segment.count - fade.count
            for sample in range.clamped(to: start..<segment.count) {
                gains[Int(sample - range.lowerBound)] *= fade.gainOut(at: sample - start)
            }
        }
    }
}
