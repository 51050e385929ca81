import CompositionModel
import Timing

// Where everything stands on the timeline.
extension EditCompilation {
    /// The tracks of picture and sound with their segments in place, and apart from them the tracks of titles.
    func placed(_ format: Format) -> ([PlacedTrack], [PlacedTitleTrack]) {
        let sources = SourceResolver(assets: assets, unusable: unusable, log: log)
        var names = TrackNames(edit.tracks)
        let named = edit.tracks.map { (track: $0, id: names.name(of: $0)) }
        let assembly = titleAssembly(format)
        let titles = named.filter { $0.track.kind == .title }.map { assembly.place($0.track, id: $0.id) }
        var tracks: [Int: PlacedTrack] = [:]
        // Sound may end with the picture: that is placed before it.
        for kind in [EditTrack.Kind.video, .audio] {
            let ends = titles.map(\.end) + tracks.values.map(\.end)
            let pictureEnd = ends.max().flatMap { try? format.frameRate.time(ofFrame: $0) }
            for (index, (track, id)) in named.enumerated() where track.kind == kind {
                let grid = TrackGrid(kind: kind, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
                var layout = TrackLayout(grid: grid, sources: sources, editSnap: snap, allowance: allowance)
                layout.pictureEnd = kind == .audio ? pictureEnd : nil
                tracks[index] = layout.place(track, id: id)
            }
        }
        return (named.indices.compactMap { tracks[$0] }, titles)
    }

    func titleAssembly(_ format: Format) -> TitleAssembly {
        TitleAssembly(format: format, assets: assets, unusable: unusable, log: log, editSnap: snap)
    }

    /// The spans of all that is seen, from the bottom up.
    func spans(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        position: (String) -> Int
    ) -> [[LayerSpan]] {
        let pictures = tracks.filter { $0.track.kind == .video }
        let known = Dictionary(
            pictures.map { ($0.track.mark.pointer, LayerSpan.spans(of: $0, position: position)) }
                + titles.map { ($0.mark.pointer, $0.spans) },
            uniquingKeysWith: { first, _ in first }
        )
        return edit.tracks.compactMap { known[$0.mark.pointer] }
    }

    /// The frames to the end of the longest track, rounded up; nil after a finding.
    func length(
        of tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) -> Int64? {
        var frames = titles.map(\.end).max() ?? 0
        for track in tracks {
            if track.track.kind == .video {
                frames = max(frames, track.end)
            } else {
                let count = try format.frameRate.frameCount(ofSamples: track.end, sampleRate: format.sampleRate)
                frames = max(frames, count)
            }
        }
        guard frames > 0 else {
            if !log.hasErrors { log.error(edit.mark, .emptyEdit, "nothing is placed on the timeline") }
            return nil
        }
        let grid = TrackGrid(kind: .video, rate: format.frameRate, sampleRate: format.sampleRate, log: log)
        return grid.isWithinLimits(try format.frameRate.time(ofFrame: frames), mark: edit.mark) ? frames : nil
    }

    /// The samples per channel of the whole timeline: to the end of the longest track of an edit of sound alone, else
    /// to the end of the last of its `frameCount` frames.
    func sampleCount(of tracks: [PlacedTrack], _ frameCount: Int64, _ format: Format) throws(TimeError) -> Int64 {
        guard edit.isSoundAlone else {
            return try format.frameRate.sample(ofFrame: frameCount, sampleRate: format.sampleRate)
        }
        return tracks.map(\.end).max() ?? 0
    }
}
