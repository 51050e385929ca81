import Testing

@testable import ObjectStorage

@Suite struct PartSizesTests {
    /// A file, in bytes, and what becomes of it.
    struct Case: Sendable {
        let byteCount: Int64
        let count: Int
        let partByteCount: Int64
    }

    private static let mebibyte: Int64 = 1_048_576
    static let cases = [
        Case(byteCount: 0, count: 1, partByteCount: 16 * mebibyte),
        Case(byteCount: 1, count: 1, partByteCount: 16 * mebibyte),
        Case(byteCount: 16 * mebibyte, count: 1, partByteCount: 16 * mebibyte),
        Case(byteCount: 16 * mebibyte + 1, count: 2, partByteCount: 16 * mebibyte),
        Case(byteCount: 160_000 * mebibyte, count: 10_000, partByteCount: 16 * mebibyte),
        Case(byteCount: 160_000 * mebibyte + 1, count: 9412, partByteCount: 17 * mebibyte),
        Case(byteCount: 5_242_880 * mebibyte, count: 9987, partByteCount: 525 * mebibyte),
    ]

    @Test(arguments: cases) func aFileIsCutIntoAtMostTenThousandParts(file: Case) {
        let sizes = PartSizes(byteCount: file.byteCount)
        let ranges = sizes.ranges
        #expect(ranges.count == file.count && sizes.partByteCount == file.partByteCount)
        #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == file.byteCount)
        #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }
}
