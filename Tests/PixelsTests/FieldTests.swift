import Pixels
import Testing

/// Deinterlacing, against the rule as it is written down.
@Suite struct FieldTests {
    private func reference(_ source: PlaneStore, _ width: Int, _ height: Int, field: Int) -> [[UInt8]] {
        let rows = (0..<height).filter { $0 % 2 == field }
        func sample(_ x: Int, _ y: Int) -> Int { Int(source[x, max(rows[0], min(rows[rows.count - 1], y))]) }
        return (0..<height).map { y in
            (0..<width).map { x in
                if rows.contains(y) { return source[x, y] }
                let sum = [max(0, x - 1), x, min(width - 1, x + 1)].reduce(0) { sum, column in
                    let own = Int(source[column, y])
                    return sum + (sample(column, y - 1) - own) * (sample(column, y + 1) - own)
                }
                guard sum > 300 else { return source[x, y] }
                let near = 9 * (sample(x, y - 1) + sample(x, y + 1))
                let value = near - sample(x, y - 3) - sample(x, y + 3) + 8
                return UInt8(max(0, min(255, value >> 4)))
            }
        }
    }

    @Test(arguments: PlaneStore.sizes, [0, 1]) func isTheRule(size: (Int, Int), field: Int) {
        let (width, height) = size
        guard height > 1 else { return }
        let source = PlaneStore.noise(width, height, seed: 5)
        var target = PlaneStore(width: width, height: height)
        source.read { plane in target.write { $0.show(field: field, of: plane) } }
        let expected = reference(source, width, height, field: field)
        #expect((0..<height).allSatisfy { y in (0..<width).allSatisfy { target[$0, y] == expected[y][$0] } })
        #expect(target.hasCleanPadding)
    }

    /// What does not move is not touched: a slope in both directions.
    @Test func whatStandsStillStays() {
        let source = PlaneStore(width: 64, height: 48) { x, y in UInt8(x + 3 * y) }
        var target = PlaneStore(width: 64, height: 48)
        source.read { plane in target.write { $0.show(field: 0, of: plane) } }
        #expect((0..<48).allSatisfy { y in (0..<64).allSatisfy { target[$0, y] == source[$0, y] } })
    }

    /// A bar that moved between the fields is where the first one has it, without a comb.
    @Test func whatMovesHasNoComb() {
        let source = PlaneStore(width: 64, height: 48) { x, y in (20..<36).contains(x - y % 2 * 12) ? 200 : 40 }
        var target = PlaneStore(width: 64, height: 48)
        source.read { plane in target.write { $0.show(field: 0, of: plane) } }
        #expect(
            (0..<48).allSatisfy { y in (0..<64).allSatisfy { target[$0, y] == ((20..<36).contains($0) ? 200 : 40) } }
        )
    }

    /// Samples of more bits are judged by the same rule: times 2^(depth − 8) the same ones are made new.
    @Test(arguments: [10, 16], [0, 1]) func deepSamplesAreTheSame(depth: Int, field: Int) {
        let (width, height) = (33, 31)
        let source = PlaneStore.noise(width, height, seed: 9)
        var target = PlaneStore(width: width, height: height)
        source.read { plane in target.write { $0.show(field: field, of: plane) } }
        let deep = PlaneStore(width: 2 * width, height: height, padding: 6) { x, y in
            let value = Int(source[x / 2, y]) << (depth - 8)
            return UInt8(truncatingIfNeeded: x % 2 == 0 ? value : value >> 8)
        }
        var made = PlaneStore(width: 2 * width, height: height, padding: 6)
        deep.read { plane in made.write { $0.show(field: field, of: plane, depth: depth) } }
        for y in 0..<height {
            for x in 0..<width {
                let value = (Int(made[2 * x, y]) | Int(made[2 * x + 1, y]) << 8)
                let parts = Double(value) / Double(1 << (depth - 8))
                #expect(abs(parts - Double(target[x, y])) <= (y % 2 == field ? 0 : 1))
            }
        }
        #expect(made.hasCleanPadding)
    }
}
