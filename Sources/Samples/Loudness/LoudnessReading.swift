import Timing

/// Loudness of a programme, from the energies of its tenths of a second (EBU Tech 3341 and 3342).
package struct LoudnessReading: Sendable, Hashable, Codable {
    /// K-weighted mean squares, summed over channels with their weights, of each whole tenth.
    package var energies: [Double] = []
    /// Linear; the largest size between and at samples.
    package var truePeak = 0.0

    package init() {}

    /// Joins the reading of the piece that follows.
    package mutating func append(_ next: LoudnessReading) {
        energies += next.energies
        truePeak = max(truePeak, next.truePeak)
    }

    /// LUFS of the whole programme, gated at −70 LUFS and 10 LU below the mean of what remains; nil when all is below
    /// −70 or shorter than 0.4 s.
    package var integrated: Double? {
        let blocks = Self.means(energies, over: 4).filter { $0 > Self.energy(-70) }
        guard !blocks.isEmpty else { return nil }
        let gate = Self.mean(blocks) * Self.energy(-10) / Self.energy(0)
        let loud = blocks.filter { $0 > gate }
        return loud.isEmpty ? nil : Self.loudness(Self.mean(loud))
    }

    /// LU between the quiet (10 %) and the loud (95 %) passages; nil without any above −70 LUFS.
    package var range: Double? {
        let passages = Self.means(energies, over: 30).filter { $0 > Self.energy(-70) }
        guard !passages.isEmpty else { return nil }
        let gate = Self.mean(passages) * Self.energy(-20) / Self.energy(0)
        let levels = passages.filter { $0 >= gate }.sorted()
        guard let last = levels.indices.last else { return nil }
        let quiet = levels[Int((Double(last) * 0.1).rounded())]
        let loud = levels[Int((Double(last) * 0.95).rounded())]
        return Self.loudness(loud) - Self.loudness(quiet)
    }

    /// The loudest 0.4 s and 3 s, LUFS.
    package var maximumMomentary: Double? { Self.means(energies, over: 4).max().map(Self.loudness) }
    /// The highest short-term loudness (3 s) in LUFS; nil where nothing lasts so long.
    package var maximumShortTerm: Double? { Self.means(energies, over: 30).max().map(Self.loudness) }

    /// dBTP.
    package var truePeakDecibels: Double { DecibelMath.decibels(truePeak) }

    /// LUFS of a weighted mean square.
    static func loudness(_ energy: Double) -> Double { -0.691 + DecibelMath.decibels(energy) / 2 }

    static func energy(_ loudness: Double) -> Double { ExactMath.gain(decibels: 2 * (loudness + 0.691)) }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// The mean of each `count` tenths that follow each other, a new one every tenth.
    private static func means(_ energies: [Double], over count: Int) -> [Double] {
        guard energies.count >= count else { return [] }
        return (0...energies.count - count).map { energies[$0..<$0 + count].reduce(0, +) / Double(count) }
    }
}
