/// The scale factor bands of a sample rate (ISO/IEC 14496-3, tables 4.110 to 4.128).
package struct AACBands: Sendable, Hashable {
    /// The first coefficient of each band of a long transform and, last, 1024.
    package let long: [Int]
    /// The first coefficient of each band of a short transform and, last, 128.
    package let short: [Int]

    /// - Returns: nil for a sample rate that AAC does not name, and for 8 kHz.
    package init?(sampleRate: Int) {
        guard let widths = Self.widths(sampleRate: sampleRate) else { return nil }
        long = widths.reduce(into: [0]) { offsets, run in
            for _ in 0..<run.count { offsets.append((offsets.last ?? 0) + run.width) }
        }
        switch sampleRate {
        case 64_000...: short = [0, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 92, 128]
        case 32_000...: short = [0, 4, 8, 12, 16, 20, 28, 36, 44, 56, 68, 80, 96, 112, 128]
        case 22_050...: short = [0, 4, 8, 12, 16, 20, 24, 28, 36, 44, 52, 64, 76, 92, 108, 128]
        default: short = [0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 72, 88, 108, 128]
        }
    }

    /// Runs of bands of a long transform of one width, from the lowest on.
    private static func widths(sampleRate: Int) -> [(count: Int, width: Int)]? {
        switch sampleRate {
        case 96_000, 88_200:
            [(14, 4), (5, 8), (5, 12), (2, 16), (1, 24), (1, 28), (1, 36), (1, 44), (11, 64)]
        case 64_000:
            [(14, 4), (4, 8), (3, 12), (3, 16), (1, 20), (2, 24), (1, 28), (1, 36), (18, 40)]
        case 48_000, 44_100:
            [(10, 4), (7, 8), (4, 12), (2, 16), (2, 20), (2, 24), (2, 28), (19, 32), (1, 96)]
        case 32_000:
            [(10, 4), (7, 8), (4, 12), (2, 16), (2, 20), (2, 24), (2, 28), (22, 32)]
        case 24_000, 22_050:
            [
                (11, 4), (10, 8), (4, 12), (3, 16), (2, 20), (2, 24), (2, 28), (1, 32), (2, 36), (1, 40), (1, 44),
                (1, 48), (2, 52), (5, 64),
            ]
        case 16_000, 12_000, 11_025:
            [
                (11, 8), (9, 12), (4, 16), (3, 20), (2, 24), (2, 28), (1, 32), (1, 36), (2, 40), (1, 44), (1, 48),
                (1, 52), (1, 56), (1, 60), (3, 64),
            ]
        default: nil
        }
    }
}
