import Pixels

/// Plays one track: the sum of its clips, processed, as loud as it is.
/// ```
/// Σ clips ─► processors ─► volume, pan ─► processors ─► (duck)
/// ```
/// Samples are numbered by the timeline.
final class TrackVoice {
    typealias Samples = SampleKernels.Samples

    let track: MixTrack
    private let makeVoice: (MixClip) -> ClipVoice
    private var voices: [Int: ClipVoice] = [:]
    private let clip: SampleBuffers
    private let gains = SampleBuffers(channels: 1)
    private let before: ProcessorChain?
    private let after: ProcessorChain?

    /// - Parameter makeVoice: makes the voice of a clip, when it is first heard.
    init(_ track: MixTrack, channels: Int, sampleRate: Int, makeVoice: @escaping (MixClip) -> ClipVoice) {
        self.track = track
        self.makeVoice = makeVoice
        clip = SampleBuffers(channels: channels)
        (before, after) = ProcessorChain.pair(track.processors, channels: channels, sampleRate: sampleRate)
    }

    /// Whether anything can be heard in `range`: a track with processors rings on.
    func mayBeHeard(in range: Range<Int64>) -> Bool {
        before != nil || after != nil || !track.clips(in: range).isEmpty
    }

    /// Whether the sum of the clips is passed on as it is; a sum from 0 is never −0.
    var isSumAlone: Bool { before == nil && after == nil && track.volume.isUnity && track.panning.isIdentity }

    /// Fills `output` with the samples `range`, before the track is ducked.
    func read(_ range: Range<Int64>, into output: [Samples]) throws {
        guard let after else { return try readLoud(range, into: output) }
        try after.read(range, into: output, from: readLoud)
    }

    private func readLoud(_ range: Range<Int64>, into output: [Samples]) throws {
        if let before { try before.read(range, into: output, from: sum) } else { try sum(range, into: output) }
        if !track.volume.isUnity {
            let gain = gains.take(range.count)[0]
            SampleKernels.fill(gain, with: 1)
            track.volume.multiply(gain, from: range.lowerBound)
            for channel in output { SampleKernels.multiply(channel, by: gain) }
        }
        if output.count == 2, !track.panning.isIdentity { track.panning.apply(output[0], output[1], over: range) }
    }

    /// Adds the clips in the order of the track's list: sums of floats depend on it.
    private func sum(_ range: Range<Int64>, into output: [Samples]) throws {
        defer { forget(before: range.lowerBound) }
        let indexes = track.clipIndexes(in: range)
        if indexes.count == 1, voice(indexes[0]).isSourceAlone {
            let target = track.clips[indexes[0]].target
            if target.lowerBound <= range.lowerBound, range.upperBound <= target.upperBound {
                let own = range.lowerBound - target.lowerBound..<range.upperBound - target.lowerBound
                return try voice(indexes[0]).readSourceAlone(own, into: output)
            }
        }
        for channel in output { SampleKernels.fill(channel, with: 0) }
        for index in indexes {
            let target = track.clips[index].target
            let part = target.clamped(to: range)
            let samples = clip.take(part.count)
            try voice(index).read(
                part.lowerBound - target.lowerBound..<part.upperBound - target.lowerBound,
                into: samples
            )
            let offset = Int(part.lowerBound - range.lowerBound)
            for (sum, channel) in zip(output, samples) {
                SampleKernels.add(channel, to: Samples(rebasing: sum[offset..<offset + part.count]))
            }
        }
    }

    private func voice(_ index: Int) -> ClipVoice {
        if let voice = voices[index] { return voice }
        let voice = makeVoice(track.clips[index])
        voices[index] = voice
        return voice
    }

    /// Voices of clips that have ended, now and then: they would be made anew if they were asked for again.
    private func forget(before sample: Int64) {
        guard voices.count > 32 else { return }
        voices = voices.filter { $0.value.clip.target.upperBound > sample }
    }
}
