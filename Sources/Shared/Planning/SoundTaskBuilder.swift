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
        var nested: [NestedSound] = []
        let tracks = try heard(composition.audioTracks, composition.master, in: samples, &numbering, &nested)
        return SoundTask(
            sampleRate: format.sampleRate,
            channels: format.channels,
            sampleCount: samples.count,
            firstSample: samples.start,
            assets: numbering.digests,
            tracks: tracks,
            nested: nested.isEmpty ? nil : nested,
            master: composition.master,
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }

    /// The tracks of which anything is heard, with the segments that count for `samples`, whole.
    /// - Parameters:
    ///   - master: of their edit.
    ///   - nested: what is heard of nested edits so far.
    private func heard(
        _ tracks: [AudioTrack],
        _ master: MasterMix?,
        in samples: FrameRange,
        _ numbering: inout AssetNumbering,
        _ nested: inout [NestedSound]
    ) throws(PlanError) -> [AudioTrack] {
        let remembers = hasMemory(tracks, master)
        var places: [Int: Int] = [:]
        var found: [AudioTrack] = []
        for (index, track) in tracks.enumerated() {
            guard let heard = try heard(track, in: remembers ? nil : samples, &numbering, &nested) else { continue }
            places[index] = found.count
            found.append(heard)
        }
        for index in found.indices {
            guard let under = found[index].duck?.under.compactMap({ places[$0] }) else { continue }
            if under.isEmpty { found[index].duck = nil } else { found[index].duck?.under = under }
        }
        return found
    }

    /// `track` with the segments that reach into `samples`, whole; nil when none is heard.
    /// - Parameter samples: nil is all.
    private func heard(
        _ track: AudioTrack,
        in samples: FrameRange?,
        _ numbering: inout AssetNumbering,
        _ nested: inout [NestedSound]
    ) throws(PlanError) -> AudioTrack? {
        guard !isSilent(track.volume) else { return nil }
        var track = track
        track.segments = track.segments.filter { segment in
            guard !isSilent(segment.volume) else { return false }
            guard let samples else { return true }
            return segment.start < samples.end && segment.start + segment.count > samples.start
        }
        for index in track.segments.indices {
            let segment = track.segments[index]
            track.segments[index].asset =
                try segment.isNested == true
                ? place(of: segment.asset, &numbering, &nested) : numbering.number(assets.digest(segment.asset))
        }
        return track.segments.isEmpty ? nil : track
    }

    /// Of the whole sound of a nested edit among those of the task.
    private func place(
        of edit: Int,
        _ numbering: inout AssetNumbering,
        _ nested: inout [NestedSound]
    ) throws(PlanError) -> Int {
        let inner = composition.nestedComposition(edit)
        let count = try exact { () throws(TimeError) in try inner.sampleCount() }
        let sound = NestedSound(
            sampleRate: inner.format.sampleRate,
            channels: inner.format.channels,
            sampleCount: count,
            tracks: try heard(
                inner.audioTracks,
                inner.master,
                in: FrameRange(start: 0, count: count),
                &numbering,
                &nested
            ),
            master: inner.master
        )
        if let known = nested.firstIndex(of: sound) { return known }
        nested.append(sound)
        return nested.count - 1
    }

    /// Whether what is heard may depend on what lies before or after it: processors remember, ducking looks ahead.
    private func hasMemory(_ tracks: [AudioTrack], _ master: MasterMix?) -> Bool {
        master?.processors != nil || master?.ceiling != nil || master?.loudness != nil
            || tracks.contains { $0.processors != nil || $0.duck != nil }
    }

    /// Whether a volume is 0 all the time. Decibels never are.
    private func isSilent(_ volume: [VolumeKey]) -> Bool {
        !volume.isEmpty && volume.allSatisfy { $0.unit == .linear && $0.millionths == 0 }
    }
}
