import Pixels
import Testing

@Suite struct TurnTests {
    private static let turns = (0..<4).flatMap { quarter in
        [false, true].map { PlaneTurn(quarterTurns: quarter, isMirrored: $0) }
    }

    /// Mirrors once, then turns by a quarter, sample by sample, as often as said.
    private static func reference(_ source: PlaneStore, _ turn: PlaneTurn) -> PlaneStore {
        var result = source
        if turn.isMirrored {
            result = PlaneStore(width: source.width, height: source.height) { source[source.width - 1 - $0, $1] }
        }
        for _ in 0..<turn.quarterTurns {
            let before = result
            result = PlaneStore(width: before.height, height: before.width) { before[$1, before.height - 1 - $0] }
        }
        return result
    }

    @Test(arguments: turns)
    func everyTurnIsExact(turn: PlaneTurn) {
        for (width, height) in PlaneStore.sizes {
            let source = PlaneStore.noise(width, height, seed: width)
            let expected = TurnTests.reference(source, turn)
            var target = PlaneStore(width: expected.width, height: expected.height)
            source.read { plane in target.write { $0.copy(plane, turned: turn) } }
            #expect(target.bytes == expected.bytes, "\(width) × \(height)")
        }
    }

    @Test func aQuarterTurnBringsTheLeftEdgeToTheTop() {
        let source = PlaneStore(width: 2, height: 3, padding: 0) { x, y in UInt8(10 * y + x) }
        var target = PlaneStore(width: 3, height: 2, padding: 0)
        source.read { plane in
            target.write { $0.copy(plane, turned: PlaneTurn(quarterTurns: 1, isMirrored: false)) }
        }
        #expect(target.bytes == [20, 10, 0, 21, 11, 1])
    }
}
