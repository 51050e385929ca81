import Timing
public import CompositionModel

/// Where a mix is cut into pieces that are measured by themselves. Loudness is measured in cells of ten seconds
/// (docs/design/sound.md, "Loudness"): pieces that begin where cells do give, joined, what the whole gives.
public struct MeasureGrid: Sendable, Hashable {
    /// Samples of a tenth of a second, in which loudness counts.
    public static func tenth(sampleRate: Int) -> Int64 { max((Int64(sampleRate) + 5) / 10, 1) }

    /// Samples of a cell.
    public static func cell(sampleRate: Int) -> Int64 { 100 * tenth(sampleRate: sampleRate) }

    /// Samples that a piece hears before its first: what the weighting of loudness remembers, and more.
    public static func lead(sampleRate: Int) -> Int64 { 2 * tenth(sampleRate: sampleRate) }

    /// Of a piece: a minute and a half.
    private static let cells: Int64 = 9

    /// Samples, from 0 to the count of all, ascending.
    public let borders: [Int64]

    /// - Parameter count: for tests: so many pieces, as far as there are cells.
    public init(sampleCount: Int64, sampleRate: Int, count: Int? = nil) {
        let cell = Self.cell(sampleRate: sampleRate)
        if let count {
            let all = max((sampleCount + cell - 1) / cell, 1)
            let parts = min(max(Int64(count), 1), all)
            borders = (0..<parts).map { all * $0 / parts * cell } + [sampleCount]
        } else {
            // The last piece is half to one and a half times as long as the others.
            let length = Self.cells * cell
            let parts = max(1, (sampleCount + length / 2) / length)
            borders = (0..<parts).map { $0 * length } + [sampleCount]
        }
    }
}

/// A piece of a mix that is measured as one.
public struct PlannedMeasure: Sendable, Hashable, Codable {
    public var task: MeasureTask
    /// Digest of all that determines its bytes. Equal key, equal bytes.
    public var key: ContentDigest
    /// As ``PlannedSegment/estimatedCost``.
    public var estimatedCost: Double

    init(_ task: MeasureTask) throws(PlanError) {
        self.task = task
        do { key = try ContentDigest(canonical: task, prefix: "cutfarm/measure-key/1\n") } catch {
            // A task holds integers and strings only, which always have a canonical form.
            throw .time(.overflow)
        }
        let (sound, tracks) = (task.sound, max(1, task.sound.tracks.count))
        estimatedCost = Double(sound.sampleCount) / Double(sound.sampleRate) * Double(tracks) * 0.025
    }
}
