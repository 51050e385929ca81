import Planning
import TestSupport
import Testing

@testable import Samples

@Suite struct WaveformMeterTests {
    private func random(_ count: Int, seed: UInt64) -> [Int32] {
        var generator = SplitMix(state: seed)
        return (0..<count).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &generator) }
    }

    private func columns(_ grid: WaveformGrid, _ samples: [Int32], blocks: Int) -> [WaveformColumn] {
        let meter = WaveformMeter(grid, sampleCount: Int64(samples.count), channels: 1)
        samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: blocks) {
                meter.take([UnsafeBufferPointer(rebasing: samples[start..<min(start + blocks, samples.count)])])
            }
        }
        #expect(meter.totals[0].count == Int64(samples.count))
        return meter.columns[0]
    }

    @Test(arguments: [1, 7, 100, 4096, 100_000]) func columnsAreWhatTheirSamplesSay(blocks: Int) {
        let samples = random(30_011, seed: 1)
        for grid in [
            WaveformGrid.evenly(columns: 1), .evenly(columns: 97), .every(samples: 256), .every(samples: 40_000),
        ] {
            let found = columns(grid, samples, blocks: blocks)
            #expect(found.count == grid.columnCount(of: 30_011))
            for (index, column) in found.enumerated() {
                let range =
                    Int(grid.start(ofColumn: index, of: 30_011))..<Int(grid.start(ofColumn: index + 1, of: 30_011))
                let part = samples[range]
                #expect(column.least == part.min() && column.most == part.max() && column.count == Int64(part.count))
                #expect(column.squares == part.reduce(UInt128(0)) { $0 + UInt128(Int64($1) * Int64($1)) })
            }
        }
    }

    /// As loud as it gets for ten hours: nothing overflows.
    @Test func fullScaleForHours() {
        var column = WaveformColumn()
        let loud = [Int32](repeating: -8_388_608, count: 4096)
        loud.withUnsafeBufferPointer { column.take($0) }
        var whole = column
        for _ in 0..<20 { whole.take(whole) }
        #expect(whole.count == 4096 << 20 && whole.rootMeanSquare == 8_388_608 && whole.peak == 8_388_608)
    }

    /// Floats may be louder than integers can be: a column knows how much.
    @Test func louderThanFullScale() {
        let samples = [Int32](repeating: 2_147_483_647, count: 5000) + [8_388_607, -8_388_608]
        let found = columns(.every(samples: 5000), samples, blocks: 777)
        #expect(found[0].isOver && !found[1].isOver && columns(.every(samples: 1), [8_388_608], blocks: 1)[0].isOver)
        #expect(found[0].peak == 2_147_483_647 && found[0].squares == 5000 * 2_147_483_647 * 2_147_483_647)
        let lowest = columns(.every(samples: 2), [.min, -8_388_609], blocks: 2)[0]
        #expect(lowest.peak == 2_147_483_648 && lowest.isOver && lowest.most == -8_388_609)
    }

    @Test func fewSamplesFillAllColumns() {
        let found = columns(.evenly(columns: 10), [5, -7, 9], blocks: 2)
        #expect(found.map(\.most) == [5, -7, -7, -7, 9, 9, 9, 9, 9, 9] || found.map(\.count).allSatisfy { $0 == 1 })
        #expect(found.first?.most == 5 && found.last?.most == 9)
    }

    /// Pieces that end at a column's border, and those that do not, join to the whole.
    @Test func piecesJoin() {
        let samples = random(5000, seed: 2)
        let whole = columns(.evenly(columns: 1), samples, blocks: 5000)[0]
        var joined = WaveformColumn()
        for piece in [0..<1, 1..<1234, 1234..<5000] {
            var part = WaveformColumn()
            Array(samples[piece]).withUnsafeBufferPointer { part.take($0) }
            joined.take(part)
        }
        #expect(joined == whole)
    }
}
