import CompositionModel
import Planning
import Timing

/// A sound task made ready: tracks that are found by time, and what they need of each source.
struct MixPlan {
    let channels: Int
    let sampleRate: Int
    /// What is heard of the timeline, in the edit's samples.
    let window: Range<Int64>
    let tracks: [MixTrack]
    let master: MasterMix?
    let masterVolume: GainEnvelope?
    /// What brings it to the master's loudness; nil is not measured yet.
    let loudness: LoudnessGain?
    private let audioTracks: [AudioTrack]

    /// - Parameter sampleRate: gives the sample rate of each stream that the task uses.
    /// - Throws: ``RenderError`` `unsupported_sample_rate`, `unsupported_channels`, `invalid_sound_task`, and what
    ///   `sampleRate` throws.
    init(
        _ task: SoundTask,
        sampleRate: (SoundStream) throws -> Int,
        isMono: (SoundStream) throws -> Bool = { _ in false }
    ) throws {
        try task.validate()
        channels = task.channels
        self.sampleRate = task.sampleRate
        master = task.master
        masterVolume = task.master.map { GainEnvelope($0.volume) }
        loudness = task.loudness
        window = task.mixed
        audioTracks = task.tracks
        var resamplers: [ResamplerKey: Resampler] = [:]
        tracks = try task.tracks.map { track in
            let clips = try track.segments.map { segment in
                let stream = SoundStream(segment)
                let speed = segment.keepsPitch == true ? nil : segment.speed
                let key = ResamplerKey(
                    rate: try sampleRate(stream),
                    speed: try (speed ?? RationalTime(whole: 1)).magnitude()
                )
                let resampler =
                    try resamplers[key]
                    ?? Resampler(sourceRate: key.rate, targetRate: task.sampleRate, speed: key.speed)
                resamplers[key] = resampler
                return try MixClip(segment, resampler: resampler, isMono: segment.channels == nil && isMono(stream))
            }
            return MixTrack(track, clips: clips)
        }
    }

    /// The source samples that are read of each stream, with what the resampler and processors need around them.
    /// Negative ones and those past a source's end may be among them: silence.
    /// - Parameter parts: what is heard of the timeline; nil is all of ``window``.
    func neededSamples(of parts: SampleRanges? = nil) -> [SoundStream: SampleRanges] {
        var ranges: [SoundStream: [Range<Int64>]] = [:]
        for part in parts?.ranges ?? [window] {
            let heard = part.clamped(to: window)
            if heard.isEmpty { continue }
            for (track, window) in zip(tracks, windows(for: heard)) {
                for clip in track.clips where clip.target.overlaps(window) {
                    ranges[clip.stream, default: []] += needed(of: clip, in: window)
                }
            }
        }
        return ranges.mapValues { SampleRanges($0.map { $0.clamped(to: 0..<Int64.max) }) }
    }

    /// Streams that a mix in order reads once, from one place to another: those of a mix of one plain clip.
    var streamed: Set<SoundStream> {
        guard tracks.count == 1, tracks[0].clips.count == 1, let clip = tracks[0].clips.first, !clip.stream.isNested,
            clip.segment.speed == nil, clip.segment.curve == nil, clip.segment.loop == nil,
            clip.segment.processors == nil,
            tracks[0].processors == nil, master?.processors == nil, master?.limiter == nil, master?.loudness == nil
        else { return [] }
        return [clip.stream]
    }

    /// The samples of the timeline that each track's clips are asked for.
    private func windows(for heard: Range<Int64>) -> [Range<Int64>] {
        SoundWindows.tracks(audioTracks, master, for: heard, sampleRate: sampleRate)
    }

    private func needed(of clip: MixClip, in window: Range<Int64>) -> [Range<Int64>] {
        let processed = clip.segment.needed(in: window, sampleRate: sampleRate)
        let plain = clip.unstretched(processed) ?? processed
        return clip.sourceParts(clip.sourceRange(of: plain)).read.map(\.samples)
    }
}

/// What a resampler depends on, beside the edit's rate.
private struct ResamplerKey: Hashable {
    var rate: Int
    /// Above 0.
    var speed: RationalTime
}
