import CompositionModel
import Timing

// What can be found while nothing is known of some assets.
extension EditCompilation {
    /// Finds what assembling a composition would find, as far as it does not depend on the unusable assets.
    func check(
        _ tracks: [PlacedTrack],
        _ titles: [PlacedTitleTrack],
        _ format: Format
    ) throws(TimeError) {
        let heard = tracks.map { track in
            var track = track
            track.segments.removeAll { unusable.contains($0.asset) }
            return track
        }
        let numbers = AssetPositions(heard, [], assets)
        _ = try mix(heard, format, numbers)
        let assembly = pictureAssembly(format, numbers)
        for track in tracks where track.track.kind == .video { _ = try assembly.tracks(of: track) }
        // A segment that writes no length is as long as its asset: then nobody knows how long the edit is.
        let isEndless = edit.tracks.contains { $0.items.contains { hasUnknownLength($0) } }
        guard let frameCount = isEndless ? .max : try length(of: tracks, titles, format) else { return }
        let sampleCount = isEndless ? .max : try sampleCount(of: tracks, frameCount, format)
        let lengths = (frames: frameCount, samples: sampleCount)
        _ = outputs(tracks, format, lengths: lengths, hasPicture: !edit.isSoundAlone, hasSound: true)
    }

    private func hasUnknownLength(_ item: EditItem) -> Bool {
        guard case .segment(let segment) = item, unusable.contains(segment.asset.value) else { return false }
        return segment.duration == nil && segment.range == nil
    }
}
