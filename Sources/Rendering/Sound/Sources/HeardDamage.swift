import CompositionModel
import Media
import Timing

/// What of the damage of its sources a task hears.
final class HeardDamage {
    /// Source time in milliseconds, by the asset's position in the task.
    private var places: [Int: SoundDamage] = [:]
    private var streamed: [(asset: Int, source: StreamedSource)] = []

    /// - Parameters:
    ///   - damage: the damage of a stream of `asset`.
    ///   - heard: what is needed of it.
    func add(_ damage: SoundDamage, of asset: Int, _ facts: AudioStreamFacts, heard: SampleRanges) {
        HeardDamage.add(damage, facts, heard, to: &places[asset, default: SoundDamage(sampleRate: 1000)])
    }

    /// What `source` hears is known when all is mixed.
    func watch(_ source: StreamedSource, of asset: Int) { streamed.append((asset, source)) }

    /// The failure `sound_damaged` of each damaged asset, with the places that are heard.
    /// - Parameter assets: the task's assets, by position.
    func warnings(_ assets: [ContentDigest]) -> [Failure] {
        var places = places
        for (asset, source) in streamed {
            let (damage, facts, heard) = (source.damage, source.facts, source.heard)
            HeardDamage.add(damage, facts, heard, to: &places[asset, default: SoundDamage(sampleRate: 1000)])
        }
        return places.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { asset, places in
            Failure(
                code: "sound_damaged",
                message: "its sound is damaged \(words(places.ranges)); there it is silent or a guess.",
                isPermanent: true,
                asset: assets.indices.contains(asset) ? assets[asset] : nil
            )
        }
    }

    private static func add(
        _ damage: SoundDamage,
        _ facts: AudioStreamFacts,
        _ heard: SampleRanges,
        to places: inout SoundDamage
    ) {
        for range in damage.ranges {
            for (part, _) in heard.intersections(with: range) {
                let start = facts.milliseconds(of: part.lowerBound)
                places.add(start..<max(facts.milliseconds(of: part.upperBound), start + 1))
            }
        }
    }

    private func words(_ ranges: [Range<Int64>]) -> String {
        func time(_ milliseconds: Int64) -> String { TimeWords.seconds(sample: milliseconds, at: 1000) }
        guard let first = ranges.first, let last = ranges.last else { return "" }
        let more = ranges.count - 1
        if more > 0 {
            let others = more == 1 ? "1 more place" : "\(more) more places"
            return "at \(time(first.lowerBound)) and at \(others) up to \(time(last.upperBound))"
        }
        guard first.upperBound - first.lowerBound > 500 else { return "at \(time(first.lowerBound))" }
        return "from \(time(first.lowerBound)) to \(time(first.upperBound))"
    }
}

extension AudioStreamFacts {
    /// Source time of `sample`, to one more or less: that is for words, and may not fail what was rendered.
    fileprivate func milliseconds(of sample: Int64) -> Int64 {
        let passed = Int128(sample) * 1000 / Int128(max(sampleRate, 1))
        return Int64(clamping: passed + Int128(start.numerator) * 1000 / Int128(start.denominator))
    }
}
