import CompositionModel
import Planning
import TestSupport
import Testing

@testable import Samples

/// Pieces of measured sound as files: exact, and not believed.
@Suite struct MeasuredPieceTests {
    private let cell: Int64 = 80_000

    private func task(_ what: SoundMeasure, start: Int64, count: Int64, of wholeSampleCount: Int64) -> MeasureTask {
        let sound = SoundTask(
            sampleRate: 8000,
            channels: 2,
            sampleCount: count,
            firstSample: start,
            assets: [],
            tracks: [],
            encoding: AudioEncoding(codec: .pcm24, bitRate: nil),
            rendererVersion: 1
        )
        return MeasureTask(sound: sound, what: what, start: start, wholeSampleCount: wholeSampleCount)
    }

    private func loudness(_ seed: UInt64 = 1) -> LoudnessPiece {
        var generator = SplitMix(state: seed)
        var reading = LoudnessReading()
        reading.energies = (0..<101).map { _ in Double.random(in: 0...1, using: &generator) / 3 }
        reading.truePeak = 0.1 + 0.2
        return LoudnessPiece(of: task(.loudness, start: cell, count: cell + 801, of: 3 * cell), reading)
    }

    private func waveform() -> WaveformPiece {
        let grid = WaveformGrid.every(samples: 1000)
        let meter = WaveformMeter(grid, sampleCount: 3 * cell, channels: 2, piece: cell - 1..<cell + 4001)
        var generator = SplitMix(state: 3)
        let samples = (0..<4002).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &generator) }
        samples.withUnsafeBufferPointer { meter.take([$0, $0]) }
        let (first, columns) = meter.pieceColumns
        let task = task(.waveform(grid: grid, channels: .each), start: cell - 1, count: 4002, of: 3 * cell)
        return WaveformPiece(of: task, firstColumn: first, columns: columns)
    }

    @Test func whatIsReadIsWhatWasWritten() throws {
        let loud = loudness()
        let read = try #require(LoudnessPiece(decoding: loud.encoded()))
        #expect(read == loud && read.reading.truePeak.bitPattern == (0.1 + 0.2).bitPattern)
        let drawn = waveform()
        #expect(drawn.firstColumn == 79 && drawn.columns.map(\.count) == [6, 6])
        #expect(WaveformPiece(decoding: drawn.encoded()) == drawn)
    }

    @Test func aPieceIsOfItsTaskAlone() {
        let place = task(.loudness, start: cell, count: cell + 801, of: 3 * cell)
        #expect(place.isPiece(loudness().encoded()))
        #expect(!task(.loudness, start: 0, count: cell + 801, of: 3 * cell).isPiece(loudness().encoded()))
        #expect(!task(.loudness, start: cell, count: cell + 801, of: 4 * cell).isPiece(loudness().encoded()))
        #expect(!place.isPiece(waveform().encoded()))
        let grid = WaveformGrid.every(samples: 1000)
        let drawn = task(.waveform(grid: grid, channels: .each), start: cell - 1, count: 4002, of: 3 * cell)
        #expect(drawn.isPiece(waveform().encoded()))
        let mixed = task(.waveform(grid: grid, channels: .mixed), start: cell - 1, count: 4002, of: 3 * cell)
        #expect(!mixed.isPiece(waveform().encoded()))
        // What cannot be joined with the others is found while another worker can still try it.
        let coarse = task(
            .waveform(grid: .every(samples: 1001), channels: .each),
            start: cell - 1,
            count: 4002,
            of: 3 * cell
        )
        #expect(!coarse.isPiece(waveform().encoded()))
        var wrong = waveform()
        wrong.firstColumn += 1
        #expect(!drawn.isPiece(wrong.encoded()))
        wrong = waveform()
        for lane in wrong.columns.indices { wrong.columns[lane].removeLast() }
        #expect(!drawn.isPiece(wrong.encoded()))
        wrong = waveform()
        wrong.columns[1][3] = WaveformColumn()
        #expect(!drawn.isPiece(wrong.encoded()))
    }

    @Test func aPieceHasNoMoreBytesThanItMay() {
        let grid = WaveformGrid.every(samples: 1000)
        let drawn = task(.waveform(grid: grid, channels: .each), start: cell - 1, count: 4002, of: 3 * cell)
        let heard = task(.loudness, start: cell, count: cell + 801, of: 3 * cell)
        for (task, bytes) in [(drawn, waveform().encoded()), (heard, loudness().encoded())] {
            #expect(Int64(bytes.count) <= task.mostPieceBytes && task.mostPieceBytes < Int64(bytes.count) + 64)
        }
    }

    /// Only a round may turn out not to be needed.
    @Test func nothingIsAnAnswerOfARoundAlone() {
        var asked = task(.loudness, start: 0, count: cell, of: cell)
        #expect(!asked.isPiece(LoudnessPiece.unneeded))
        asked.round = 1
        #expect(asked.isPiece(LoudnessPiece.unneeded, isNeeded: false) && !asked.isPiece([], isNeeded: false))
        #expect(!asked.isPiece(LoudnessPiece.unneeded, isNeeded: true))
    }

    /// A child that was taken over may write anything.
    @Test func damagedFilesAreRefused() {
        for bytes in [loudness().encoded(), waveform().encoded()] {
            let isLoudness = LoudnessPiece(decoding: bytes) != nil
            func isRefused(_ bytes: [UInt8]) -> Bool {
                isLoudness ? LoudnessPiece(decoding: bytes) == nil : WaveformPiece(decoding: bytes) == nil
            }
            for count in [0, 7, 8, 11, 36, bytes.count - 8, bytes.count - 1] {
                #expect(isRefused(Array(bytes.prefix(count))), "\(count)")
            }
            #expect(isRefused(bytes + [0]) && isRefused(bytes + Array(repeating: 0, count: 8)))
            // The magic, the rate, the numbers; a level below 0 or without end, more squares than samples have.
            for (place, value) in [(0, 0x41), (7, 0x32), (12, 0xff), (20, 0xff), (28, 0xff)] {
                var wrong = bytes
                wrong[place] = UInt8(value)
                #expect(isRefused(wrong), "\(place)")
            }
        }
        for level in [-1, Double.infinity, .nan] {
            var wrong = loudness()
            wrong.reading.energies[5] = level
            #expect(LoudnessPiece(decoding: wrong.encoded()) == nil)
            wrong = loudness()
            wrong.reading.truePeak = level
            #expect(LoudnessPiece(decoding: wrong.encoded()) == nil)
        }
        var wrong = waveform().encoded()
        // The first column's squares.
        wrong[56] = 1
        #expect(WaveformPiece(decoding: wrong) == nil)
    }

    @Test func piecesThatDoNotFitAreNotJoined() throws {
        let grid = WaveformGrid.every(samples: 1000)
        func join(_ piece: WaveformPiece, _ grid: WaveformGrid, lanes: Int = 2, wholeSampleCount: Int64 = 4002) -> Bool
        {
            WaveformPiece.join([piece], grid, sampleRate: 8000, wholeSampleCount: wholeSampleCount, lanes: lanes) != nil
        }
        let meter = WaveformMeter(grid, sampleCount: 4002, channels: 2)
        let samples = [Int32](repeating: 7, count: 4002)
        samples.withUnsafeBufferPointer { meter.take([$0, $0]) }
        let task = task(.waveform(grid: grid, channels: .each), start: 0, count: 4002, of: 4002)
        let piece = WaveformPiece(of: task, firstColumn: 0, columns: meter.pieceColumns.columns)
        #expect(join(piece, grid) && !join(piece, .every(samples: 999)) && !join(piece, .evenly(columns: 5)))
        #expect(!join(piece, grid, lanes: 1) && !join(piece, grid, wholeSampleCount: 4003))
        var wrong = piece
        wrong.start = 1
        #expect(!join(wrong, grid))
        wrong = piece
        wrong.firstColumn = 1
        #expect(!join(wrong, grid))
        // Fewer samples than the column has.
        wrong = piece
        wrong.columns[1][2] = WaveformColumn()
        #expect(!join(wrong, grid))
    }

    /// What a piece hears before it is enough for the filters at every rate there may be.
    @Test(arguments: [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000, 176_400, 192_000])
    func theLeadIsLongEnough(rate: Int) {
        let meter = LoudnessMeter(weights: [1], sampleRate: rate)
        #expect(Int64(meter.memory) <= MeasureGrid.preRoll(sampleRate: rate))
        #expect(Int64(meter.cell) == MeasureGrid.cell(sampleRate: rate))
    }

    /// Any pieces, also where there are more columns than samples.
    @Test(arguments: [
        WaveformGrid.evenly(columns: 7), .evenly(columns: 5000), .every(samples: 1), .every(samples: 300),
    ])
    func metersOfPiecesJoin(grid: WaveformGrid) throws {
        let count: Int64 = 1003
        var generator = SplitMix(state: 9)
        let samples = (0..<Int(count)).map { _ in Int32.random(in: -8_388_608...8_388_607, using: &generator) }
        func meter(_ range: Range<Int64>?) -> WaveformMeter {
            let meter = WaveformMeter(grid, sampleCount: count, channels: 1, piece: range)
            let part = range ?? 0..<count
            Array(samples[Int(part.lowerBound)..<Int(part.upperBound)]).withUnsafeBufferPointer { meter.take([$0]) }
            return meter
        }
        let whole = meter(nil)
        for borders: [Int64] in [[0, count], [0, 1, count], [0, 299, 300, 301, 900, 1002, count]] {
            let pieces = zip(borders, borders.dropFirst()).map { start, end in
                let (first, columns) = meter(start..<end).pieceColumns
                let task = task(.waveform(grid: grid, channels: .each), start: start, count: end - start, of: count)
                return WaveformPiece(of: task, firstColumn: first, columns: columns)
            }
            let joined = WaveformPiece.join(pieces, grid, sampleRate: 8000, wholeSampleCount: count, lanes: 1)
            #expect(joined?.columns == whole.columns && joined?.totals == whole.totals, "\(borders)")
        }
    }
}
