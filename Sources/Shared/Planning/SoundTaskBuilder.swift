/// Cuts what is heard in a part of a composition.
struct SoundTaskBuilder {
    let composition: Composition
    let assets: AssetTable
    let encoding: AudioEncoding

    /// The task for `frames` of the timeline.
    ///
    /// The output has round(frames × frameDuration × sampleRate) samples, as every output, from the sample at which its
    /// first frame starts; a timeline that ends before the last of them goes on as silence.
    func task(for frames: FrameRange) throws(PlanError) -> SoundTask {
        let format = composition.format
        let samples = try exact { () throws(TimeError) in
            FrameRange(
                start: try format.frameRate.sample(ofFrame: frames.start, sampleRate: format.sampleRate),
                count: try format.frameRate.sample(ofFrame: frames.count, sampleRate: format.sampleRate)
            )
        }
        var numbering = AssetNumbering()
        let tracks = composition.audioTracks.compactMap { heard($0, in: samples, numbering: &numbering) }
        return SoundTask(
            sampleRate: format.sampleRate,
            channels: format.channels,
            sampleCount: samples.count,
            firstSample: samples.start,
            assets: numbering.digests,
            tracks: tracks,
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }

    /// `track` with the segments that reach into `samples`, whole; nil when none is heard.
    private func heard(_ track: AudioTrack, in samples: FrameRange, numbering: inout AssetNumbering) -> AudioTrack? {
        guard !isSilent(track.volume) else { return nil }
        var track = track
        track.segments = track.segments.filter { segment in
            segment.start < samples.end && segment.start + segment.count > samples.start && !isSilent(segment.volume)
        }
        for index in track.segments.indices {
            track.segments[index].asset = numbering.number(assets.digest(track.segments[index].asset))
        }
        return track.segments.isEmpty ? nil : track
    }

    /// Whether a volume is 0 all the time. Decibels never are.
    private func isSilent(_ volume: [VolumeKey]) -> Bool {
        !volume.isEmpty && volume.allSatisfy { $0.unit == .linear && $0.millionths == 0 }
    }
}
