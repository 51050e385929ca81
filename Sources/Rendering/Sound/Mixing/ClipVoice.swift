import CompositionModel
import Pixels
import Samples

/// Plays one clip: reads its source, brings it to the edit's rate and speed, processes it, and makes it as loud as it
/// is.
/// ```
/// source ─loop─► resampler ─► stretch ─► processors ─► volume, fades, pan ─► processors
/// ```
final class ClipVoice {
    typealias Samples = SampleKernels.Samples

    let clip: MixClip
    private let source: (any SampleSource)?
    private let samples: SampleBuffers
    private let gains = SampleBuffers(channels: 1)
    private let before: ProcessorChain?
    private let after: ProcessorChain?
    private var stretch: TimeStretch?
    /// Whether this passes on what it reads. Then no sample is −0, as sums from 0 never are, and adding them to a sum that
    /// is 0 gives the same bits.
    let isSourceAlone: Bool

    /// - Parameters:
    ///   - source: nil is silent.
    ///   - samples: memory for the source's samples, which voices may share.
    init(_ clip: MixClip, source: (any SampleSource)?, channels: Int, sampleRate: Int, samples: SampleBuffers) {
        self.clip = clip
        self.source = source
        self.samples = samples
        isSourceAlone = clip.isSourceAlone && source != nil
        (before, after) = ProcessorChain.pair(clip.segment.processors, channels: channels, sampleRate: sampleRate)
        if let speed = clip.stretch {
            stretch = TimeStretch(speed: speed, channels: channels, sampleRate: sampleRate) { [unowned self] in
                try readPlain($0, into: $1)
            }
        } else if clip.path != nil, clip.segment.keepsPitch == true {
            stretch = TimeStretch(
                along: clip.stretchedPlace(at:),
                channels: channels,
                sampleRate: sampleRate
            ) { [unowned self] in try readPlain($0, into: $1) }
        }
    }

    /// Fills `output` with the clip's samples `range`, counted from its start.
    func read(_ range: Range<Int64>, into output: [Samples]) throws {
        guard let after else { return try readLoud(range, into: output) }
        try after.read(range, into: output) { try padded($0, into: $1, from: readLoud) }
    }

    /// Fills `output` as ``read(_:into:)`` does, straight from the source, where ``isSourceAlone``.
    func readSourceAlone(_ range: Range<Int64>, into output: [Samples]) throws {
        try source?.read(clip.sourceRange(of: range), into: output)
    }

    private func readLoud(_ range: Range<Int64>, into output: [Samples]) throws {
        if let before {
            try before.read(range, into: output) { try padded($0, into: $1, from: readSource) }
        } else {
            try readSource(range, into: output)
        }
        if !clip.isUnity {
            let gain = gains.take(range.count)[0]
            SampleKernels.fill(gain, with: 1)
            clip.multiply(gain, over: range)
            for channel in output { SampleKernels.multiply(channel, by: gain) }
        }
        if output.count == 2, !clip.panning.isIdentity { clip.panning.apply(output[0], output[1], over: range) }
    }

    private func readSource(_ range: Range<Int64>, into output: [Samples]) throws {
        if let stretch { try stretch.read(range, into: output) } else { try readPlain(range, into: output) }
        guard clip.path?.hasSilence == true else { return }
        let gain = gains.take(range.count)[0]
        SampleKernels.fill(gain, with: 1)
        clip.fadeWhereItHalts(gain, over: range)
        for channel in output { SampleKernels.multiply(channel, by: gain) }
    }

    /// Silence before the start.
    private func readPlain(_ range: Range<Int64>, into output: [Samples]) throws {
        let part = range.clamped(to: 0..<max(range.upperBound, 0))
        let skipped = range.count - part.count
        for channel in output { SampleKernels.fill(Samples(rebasing: channel[..<skipped]), with: 0) }
        guard !part.isEmpty else { return }
        let needed = clip.sourceRange(of: part)
        let samples = samples.take(needed.count)
        for channel in samples { SampleKernels.fill(channel, with: 0) }
        let parts = clip.sourceParts(needed)
        for (place, piece) in parts.read {
            try source?.read(piece, into: samples.map { Samples(rebasing: $0[place..<place + piece.count]) })
        }
        for channel in samples { SampleKernels.repeatSamples(of: channel, at: parts.repeated, period: parts.period) }
        clip.convert(samples, range: part, into: output.map { Samples(rebasing: $0[skipped...]) })
    }

    /// Silence past the clip's end, which processors may want to hear.
    private func padded(
        _ range: Range<Int64>,
        into output: [Samples],
        from read: (Range<Int64>, [Samples]) throws -> Void
    ) throws {
        let part = range.clamped(to: 0..<clip.segment.count)
        for channel in output { SampleKernels.fill(channel, with: 0) }
        guard !part.isEmpty else { return }
        let offset = Int(part.lowerBound - range.lowerBound)
        try read(part, output.map { Samples(rebasing: $0[offset..<offset + part.count]) })
    }
}

extension ProcessorChain {
    /// The chains before and after the volume; nil where there is nothing to do.
    static func pair(
        _ processors: [SoundProcessor]?,
        channels: Int,
        sampleRate: Int
    ) -> (before: ProcessorChain?, after: ProcessorChain?) {
        let all = processors ?? []
        func chain(_ isAfter: Bool) -> ProcessorChain? {
            let own = all.filter { ($0.isAfterVolume ?? false) == isAfter }
            return own.isEmpty ? nil : ProcessorChain(own, channels: channels, sampleRate: sampleRate)
        }
        return (chain(false), chain(true))
    }
}
