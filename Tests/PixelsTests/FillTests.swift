import Pixels
import Testing

@Suite struct FillTests {
    @Test(arguments: PlaneStore.sizes)
    func fillingStaysWithinTheRows(width: Int, height: Int) {
        var target = PlaneStore(width: width, height: height)
        target.write { $0.fill(77) }
        #expect(target.bytes == PlaneStore(width: width, height: height) { _, _ in 77 }.bytes)
    }

    @Test func aPartIsCopiedToItsPlaceAndNowhereElse() {
        let source = PlaneStore.noise(20, 12, seed: 3)
        var target = PlaneStore(width: 30, height: 9)
        source.read { plane in
            target.write {
                $0.part(x: 4, y: 1, width: 10, height: 6).copy(plane.part(x: 3, y: 5, width: 10, height: 6))
            }
        }
        let expected = PlaneStore(width: 30, height: 9) { x, y in
            (4..<14).contains(x) && (1..<7).contains(y) ? source[x - 4 + 3, y - 1 + 5] : 0
        }
        #expect(target.bytes == expected.bytes)
    }

    @Test(arguments: [(0, 0), (1, 0), (0, 1), (1, 1), (9, 4)]) func theLastColumnAndRowFillTheRest(extra: (Int, Int)) {
        let source = PlaneStore.noise(21, 13, seed: 4)
        var target = PlaneStore(width: 21 + extra.0, height: 13 + extra.1)
        source.read { plane in target.write { $0.pad(plane) } }
        let expected = PlaneStore(width: 21 + extra.0, height: 13 + extra.1) { x, y in source[min(x, 20), min(y, 12)] }
        #expect(target.bytes == expected.bytes)
    }
}
