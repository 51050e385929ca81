import Pixels
import Testing

@Suite struct KeyTests {
    /// Pure green in BT.709, limited range.
    private let key = ChromaKey(blue: -86, red: -102, tolerance: 30, softness: 40, spill: 1)

    private func matte(_ blue: UInt8, _ red: UInt8) -> UInt8 {
        let (blues, reds) = (
            PlaneStore(width: 3, height: 2) { _, _ in blue }, PlaneStore(width: 3, height: 2) { _, _ in red }
        )
        var result = PlaneStore(width: 3, height: 2)
        blues.read { blue in reds.read { red in result.write { key.matte($0, blue: blue, red: red) } } }
        #expect(result.hasCleanPadding)
        return result[1, 1]
    }

    @Test func whatIsNearTheScreenIsTransparent() {
        #expect(matte(42, 26) == 0)
        #expect(matte(42 + 20, 26 + 20) == 0)
        #expect(matte(128, 128) == 255)
        // 50 from the screen: half of the way.
        #expect((126...128).contains(matte(42 + 30, 26 + 40)))
    }

    private func suppressed(_ blue: UInt8, _ red: UInt8) -> (Int, Int) {
        var (blues, reds) = (
            PlaneStore(width: 3, height: 2) { _, _ in blue }, PlaneStore(width: 3, height: 2) { _, _ in red }
        )
        blues.write { blue in reds.write { red in key.suppressSpill(blue: blue, red: red) } }
        return (Int(blues[2, 1]), Int(reds[2, 1]))
    }

    @Test func theScreensHueIsTakenAway() {
        // Along the screen's colour all of it; what is opposite or across stays.
        let (blue, red) = suppressed(128 - 43, 128 - 51)
        #expect(abs(blue - 128) <= 1 && abs(red - 128) <= 1)
        #expect(suppressed(128 + 43, 128 + 51) == (171, 179))
        #expect(suppressed(128, 128) == (128, 128))
        #expect(suppressed(128 - 51, 128 + 43) == (77, 171))
    }

    @Test func aLumaKeyIsASlope() {
        let table = LumaKey.table(threshold: 100, softness: 20, isInverted: false)
        #expect(table[90] == 0 && table[110] == 255 && (127...128).contains(table[100]))
        #expect(table == table.sorted())
        let inverted = LumaKey.table(threshold: 100, softness: 20, isInverted: true)
        #expect(zip(table, inverted).allSatisfy { Int($0) + Int($1) == 255 })
        var plane = PlaneStore(width: 5, height: 3) { x, _ in UInt8(80 + 10 * x) }
        let source = plane
        source.read { source in plane.write { $0.map(source, by: table) } }
        #expect((0..<5).map { plane[$0, 2] } == [0, 0, table[100], 255, 255])
    }
}
