import CompositionModel
import Pixels
import Samples
import Timing

/// One clip of a track: which source samples it is made of, and how loud it is at each of its own.
struct MixClip {
    let stream: SoundStream
    /// The clip's place on the timeline, in the edit's samples.
    let target: Range<Int64>
    let resampler: Resampler
    let segment: AudioTrackSegment
    let panning: Panning
    /// The source's sample that is the clip's first one before it is stretched; a held sound begins before what it
    /// holds.
    private let sourceStart: Int64
    /// The positions of a speed that changes; nil where it does not.
    let path: SoundPath?
    /// The resampler where the pitch follows such a speed.
    private let bent: VariableSpeedResampler?
    /// Samples at the edit's rate before `segment.sourceStart` that are at hand, of a changing speed that keeps the
    /// pitch.
    private let origin: Int64
    private let volume: GainEnvelope

    /// - Parameters:
    ///   - resampler: by the speed too, unless the clip keeps its pitch.
    ///   - isMono: whether the source has one channel.
    /// - Throws: ``RenderError`` `unsupported_sample_rate`.
    init(_ segment: AudioTrackSegment, resampler: Resampler, isMono: Bool = false) throws(RenderError) {
        self.segment = segment
        // Stretched sound and a changing speed count from whole samples.
        let isMoved = segment.keepsPitch != true && segment.curve == nil
        let resampler = isMoved ? segment.sourceFraction.map(resampler.starting) ?? resampler : resampler
        self.resampler = segment.speed?.isNegative == true ? resampler.mirrored : resampler
        stream = SoundStream(segment)
        let (from, to) = (resampler.sourceRate, resampler.targetRate)
        path = segment.curve.map { SoundPath($0, sourceRate: from, sampleRate: to) }
        bent =
            try segment.keepsPitch == true
            ? nil
            : path.map { path throws(RenderError) in
                try VariableSpeedResampler(path, count: segment.count, sourceRate: from, targetRate: to)
            }
        origin = segment.keepsPitch == true ? path?.origin(of: segment.count, resampler) ?? 0 : 0
        let reach = segment.speed == .zero ? Int64(TimeStretch.reach(sampleRate: resampler.targetRate)) : origin
        sourceStart = segment.sourceStart - resampler.ratio.position(of: reach, start: 0).sample
        target = segment.start..<segment.start + segment.count
        volume = GainEnvelope(segment.volume)
        panning = Panning(pan: segment.pan, balance: segment.balance, isMono: isMono)
    }

    private var isBackwards: Bool { segment.speed?.isNegative ?? false }

    /// The source samples that the samples `range` of the clip are made of at the resampler's speed; `range` counts
    /// from the clip's start and begins at 0 or later.
    ///
    /// Backwards, the source is read as its mirror image, in which sample −n stands where n stood: then it runs
    /// forwards.
    func sourceRange(of range: Range<Int64>) -> Range<Int64> {
        if let bent {
            let own = bent.sourceRange(of: range)
            return segment.sourceStart + own.lowerBound..<segment.sourceStart + own.upperBound
        }
        guard isBackwards else { return resampler.sourceRange(of: range, start: sourceStart) }
        let mirrored = resampler.sourceRange(of: range, start: -segment.sourceStart)
        return 1 - mirrored.upperBound..<1 - mirrored.lowerBound
    }

    /// The parts of the source that are heard in ``sourceRange(of:)``.
    func sourceParts(_ range: Range<Int64>) -> SourceParts {
        guard let loop = segment.loop else { return SourceParts(range) }
        return SourceParts(range, of: loop, from: segment.sourceStart, isBackwards: isBackwards)
    }

    /// Brings the samples of ``sourceRange(of:)`` to the edit's rate.
    /// - Parameter samples: turned around in place when the clip runs backwards.
    func convert(_ samples: [SampleKernels.Samples], range: Range<Int64>, into output: [SampleKernels.Samples]) {
        if let bent {
            return bent.convert(samples, from: bent.sourceRange(of: range).lowerBound, range: range, into: output)
        }
        for (from, to) in zip(samples, output) {
            if isBackwards { SampleKernels.reverse(from) }
            resampler.convert(from, range: range, into: to)
        }
    }

    /// The samples at the edit's rate, before it is stretched, that `range` of the clip is made of; nil when it is not
    /// stretched. All from the start: where a frame is taken from depends on all before it (``TimeStretch``).
    func unstretched(_ range: Range<Int64>) -> Range<Int64>? {
        if let path, segment.keepsPitch == true {
            let reach = Int64(TimeStretch.reach(sampleRate: resampler.targetRate))
            // Frames that begin before the last sample; all that lies between them.
            let bounds = path.bounds(of: 0..<range.upperBound + 2 * reach)
            let (first, last) = (path.target(bounds.lowest), path.target(bounds.highest))
            return origin + first - 3 * reach..<origin + last + 3 * reach
        }
        guard let speed = stretch else { return nil }
        // The last frame's middle may lie a hop behind the last sample.
        let reach = Int64(TimeStretch.reach(sampleRate: resampler.targetRate))
        let end = Int128(range.upperBound + reach) * Int128(speed.numerator) / Int128(speed.denominator)
        return 0..<Int64(end) + 3 * reach
    }

    /// The speed at which the clip keeps its pitch.
    var stretch: (numerator: Int64, denominator: Int64)? {
        guard segment.keepsPitch == true, let speed = segment.speed else { return nil }
        return (abs(speed.numerator), speed.denominator)
    }

    /// The source sample that a stretched clip whose speed changes plays at one of its samples, and whether it runs
    /// backwards there.
    func stretchedPlace(at sample: Int64) -> (sample: Int64, isBackwards: Bool) {
        guard let path else { return (0, false) }
        var knot = 0
        let place = path.place(at: sample, near: &knot)
        return (origin + path.target(place.sample, place.part), place.slope < 0)
    }

    /// Silences a clip whose speed changes where it stands still.
    func fadeWhereItHalts(_ gains: SampleKernels.Samples, over range: Range<Int64>) {
        guard let path else { return }
        for sample in range { gains[Int(sample - range.lowerBound)] *= path.gain(at: sample) }
    }

    /// Whether the clip's samples are its source's: at the same rate, forwards, once, unstretched, and as loud.
    var isSourceAlone: Bool {
        resampler.isIdentity && !isBackwards && segment.loop == nil && stretch == nil && path == nil
            && segment.keepsPitch != true && segment.processors == nil && isUnity && panning.isIdentity
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

extension SoundPath {
    /// The nearest sample at the edit's rate, half up, of a place in the source.
    fileprivate func target(_ sample: Int64, _ part: Double = 0) -> Int64 {
        Int64(((Double(sample) + part) / ratio + 0.5).rounded(.down))
    }

    /// How much before its start a clip may be asked for: so much that the source's samples are the same ones.
    fileprivate func origin(of count: Int64, _ resampler: Resampler) -> Int64 {
        let reach = Int64(TimeStretch.reach(sampleRate: resampler.targetRate))
        let before = max(0, 4 * reach - target(bounds(of: 0..<count + 4 * reach).lowest))
        let step = resampler.ratio.denominator
        return (before + step - 1) / step * step
    }
}
