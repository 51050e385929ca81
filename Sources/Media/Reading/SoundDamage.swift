import Timing

/// The damage of a stream's sound: ranges of samples in which there is silence or what a decoder made up, in order,
/// with nothing between two of them that is worth a place of its own.
package struct SoundDamage: Sendable, Hashable {
    /// The damaged samples, ascending.
    package private(set) var ranges: [Range<Int64>] = []
    /// Samples between two places, at the least.
    private let distance: Int64

    package init(sampleRate: Int) { distance = Int64(sampleRate / 2) }

    /// Whether nothing is damaged.
    package var isEmpty: Bool { ranges.isEmpty }

    /// Known damage may be added again.
    package mutating func add(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        let first = ranges.partitionPoint { $0.upperBound + distance >= range.lowerBound }
        let end = ranges.partitionPoint { $0.lowerBound - distance > range.upperBound }
        let known = ranges[first..<end]
        let start = min(range.lowerBound, known.first?.lowerBound ?? .max)
        ranges.replaceSubrange(first..<end, with: [start..<max(range.upperBound, known.last?.upperBound ?? .min)])
    }
}
