import Shared

/// A sound task made ready: tracks that are found by time, and what they need of each source.
struct MixPlan {
    let channels: Int
    /// What is heard of the timeline, in the edit's samples.
    let window: Range<Int64>
    let tracks: [MixTrack]

    /// - Parameter sampleRate: of each stream that the task uses.
    /// - Throws: ``RenderError`` `unsupported_sample_rate`, `unsupported_channels`, `invalid_sound_task`, and what `sampleRate` throws.
    init(_ task: SoundTask, sampleRate: (SoundStream) throws -> Int) throws {
        try task.validate()
        channels = task.channels
        window = task.firstSample..<task.firstSample + task.sampleCount
        var resamplers: [ResamplerKey: Resampler] = [:]
        tracks = try task.tracks.map { track in
            let clips = try track.segments.map { segment in
                let rate = try sampleRate(SoundStream(segment))
                let key = ResamplerKey(rate: rate, speed: try (segment.speed ?? RationalTime(whole: 1)).magnitude())
                let resampler =
                    try resamplers[key]
                    ?? Resampler(sourceRate: rate, targetRate: task.sampleRate, speed: key.speed)
                resamplers[key] = resampler
                return MixClip(segment, resampler: resampler)
            }
            return MixTrack(clips: clips, volume: GainEnvelope(track.volume))
        }
    }

    /// The source samples that are read of each stream, with what the resampler needs around them. Negative ones and
    /// those past a source's end may be among them: silence.
    /// - Parameter parts: what is heard of the timeline; nil is all of ``window``.
    func neededSamples(of parts: SampleRanges? = nil) -> [SoundStream: SampleRanges] {
        var ranges: [SoundStream: [Range<Int64>]] = [:]
        for part in parts?.ranges ?? [window] {
            let heard = part.clamped(to: window)
            for clip in tracks.flatMap(\.clips) where clip.target.overlaps(heard) {
                ranges[clip.stream, default: []].append(clip.sourceRange(of: clip.target.clamped(to: heard)))
            }
        }
        return ranges.mapValues { SampleRanges($0.map { $0.clamped(to: 0..<Int64.max) }) }
    }
}

/// What a resampler depends on, beside the edit's rate.
private struct ResamplerKey: Hashable {
    var rate: Int
    /// Above 0.
    var speed: RationalTime
}
