import CompositionModel

extension EditCompilation {
    /// Warns of what the heard streams of files lack, each once. What a nested edit hears is found in it.
    func warn(of tracks: [AudioTrack], _ numbers: AssetPositions) {
        var seen: Set<AudioStreamFacts> = []
        for segment in tracks.lazy.flatMap(\.segments) where segment.isNested != true {
            guard numbers.assets.indices.contains(segment.asset) else { continue }
            let name = numbers.assets[segment.asset].name
            guard let stream = assets[name]?.facts.audio.first(where: { $0.streamIndex == segment.stream }),
                let words = stream.flawWords, seen.insert(stream).inserted
            else { continue }
            log.warning(edit.assets[name]?.mark ?? edit.mark, .damagedSound, "asset \"\(name)\": \(words)")
        }
    }
}
