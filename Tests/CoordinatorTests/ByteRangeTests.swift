import Testing

@testable import Coordinator

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=0-", .part(0..<100)),
            ("bytes=99-", .part(99..<100)),
            ("bytes=10-19", .part(10..<20)), ("bytes=90-1000", .part(90..<100)), ("bytes=-4", .part(96..<100)),
            ("bytes=-1000", .part(0..<100)), ("bytes=-0", .unsatisfiable), ("bytes=100-", .unsatisfiable),
            ("bytes=100-200", .unsatisfiable), ("bytes=20-10", .whole), ("bytes=0-1,5-6", .whole), ("bytes=-", .whole),
            ("bytes=", .whole), ("bytes", .whole), ("frames=0-1", .whole), ("bytes=a-b", .whole),
            ("bytes=+1-2", .whole),
            ("Bytes = 5-6", .part(5..<7)), ("bytes= 5 - 6 ", .part(5..<7)),
            ("bytes=0-99999999999999999999999", .part(0..<100)), ("bytes=99999999999999999999999-", .unsatisfiable),
            ("bytes=-99999999999999999999999", .part(0..<100)), ("bytes=0x1-2", .whole), ("bytes=1-2-3", .whole),
        ] as [(String?, ByteRange)]
    )
    func aHeaderMeans(_ header: String?, _ range: ByteRange) {
        #expect(ByteRange(header: header, byteCount: 100) == range)
    }

    @Test(arguments: ["bytes=0-", "bytes=-1", "bytes=0-0"])
    func nothingHasNoRange(_ header: String) {
        #expect(ByteRange(header: header, byteCount: 0) == .unsatisfiable)
    }
}
