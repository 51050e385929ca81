import EditSamples
import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Planning

/// The sound of an output in pieces that are measured: where they lie, and what each names.
@Suite struct MeasurePlanTests {
    private func items(_ count: Int) -> [String] {
        (0..<count).map { #"{ "asset": "s", "in": "\#($0 * 37 % 590)s", "duration": "180f" }"# }
    }

    private func measures(
        _ items: [String],
        master: String = "",
        words: String = "",
        _ order: MeasureOrder = MeasureOrder(.loudness),
        hasCells: Bool = true,
        range: [String]? = nil,
        count: Int? = nil
    ) throws -> [PlannedMeasure] {
        var stream = SampleAsset.audio(seconds: 600, streamIndex: 0)
        if hasCells { stream.cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil) }
        let assets = ["s": SampleAsset.asset("s", [], [stream])]
        let text = """
            { "schema": "edit/1",
              "format": { "size": [1280, 720], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "s": "s.wav" }, \(master)
              "tracks": [ { "kind": "audio", \(words) "segments": [ \(items.joined(separator: ",\n")) ] } ] }
            """
        let compiled = try Compiled(text, assets, CompileOptions(preset: "lossless", range: range))
        return try Planner.measures(
            try #require(compiled.composition, "\(compiled.errors)"),
            output: 0,
            facts: compiled.facts,
            order: order,
            segmentCount: count
        )
    }

    /// An hour of cuts: every piece begins where a cell does and names what it and its pre-roll hear.
    @Test func piecesAreWholeCells() throws {
        let pieces = try measures(items(500))
        let (cell, whole) = (Int64(480_000), Int64(3600 * 48_000))
        #expect(pieces.count == 40)
        var start: Int64 = 0
        for (place, piece) in pieces.enumerated() {
            let (task, sound) = (piece.task, piece.task.sound)
            #expect(task.start == start && sound.firstSample == start && task.wholeSampleCount == whole)
            #expect(start % cell == 0 && task.isEnd == (place == 39) && task.what == .loudness)
            #expect(
                sound.sampleCount == 9 * cell && sound.extent.postRoll == 0
                    && sound.extent.preRoll == (place == 0 ? 0 : 9600)
            )
            let window = sound.mixed
            let clips = sound.tracks.flatMap(\.segments)
            #expect(clips.count == Int((window.upperBound - 1) / 345_600 - window.lowerBound / 345_600) + 1)
            #expect(piece.estimatedCost > 0 && task.rendererVersion == Renderer.version)
            start += sound.sampleCount
        }
        #expect(start == whole && Set(pieces.map(\.key)).count == 40)
    }

    @Test(arguments: [
        (18, [129.6]), (19, [90, 46.8]), (25, [90, 90]), (31, [90, 133.2]), (32, [90, 90, 50.4]),
    ])
    func theLastPieceIsHalfToOneAndAHalfAsLong(clips: Int, seconds: [Double]) throws {
        let found = try measures(items(clips)).map { Double($0.task.sound.sampleCount) / 48_000 }
        #expect(found == seconds)
    }

    @Test func aRangeIsCountedFromItsStart() throws {
        let pieces = try measures(items(100), range: ["100s", "400s"])
        #expect(pieces.map(\.task.start) == [0, 90, 180, 270].map { $0 * 48_000 })
        #expect(pieces.map(\.task.sound.firstSample) == [100, 190, 280, 370].map { $0 * 48_000 })
        #expect(pieces[0].task.sound.extent == .whole && pieces[1].task.sound.extent.preRoll == 9600)
        #expect(pieces.last?.task.sound.sampleCount == 130 * 48_000 && pieces.last?.task.isEnd == true)
    }

    /// A file ends with its last sample, not with a frame.
    @Test func anOrderMayEndEarlier() throws {
        let pieces = try measures(items(100), MeasureOrder(.loudness, sampleCount: 200 * 48_000 + 17))
        #expect(pieces.map(\.task.wholeSampleCount) == [9_600_017, 9_600_017])
        #expect(pieces.map(\.task.sound.sampleCount) == [4_320_000, 5_280_017])
    }

    @Test func whatHearsAllIsOneTask() throws {
        let echo = #"[{ "processor": "delay", "time": "5s", "feedback": 0.95 }]"#
        #expect(try measures(items(100), words: #""processors": \#(echo),"#).count == 1)
        let target = #""master": { "loudness": { "target": "-16LUFS" } },"#
        let brought = try measures(items(100), master: target)
        #expect(brought.count == 1 && brought[0].task.isEnd && brought[0].task.sound.extent.preRoll == 0)
        // Each piece would decode all before it.
        #expect(try measures(items(100), hasCells: false).count == 1)
    }

    @Test(arguments: [(1, 1), (2, 2), (7, 7), (100, 72)]) func asManyPiecesAsAsked(asked: Int, made: Int) throws {
        let pieces = try measures(items(100), count: asked)
        #expect(pieces.count == made && pieces.allSatisfy { $0.task.start % 480_000 == 0 })
        #expect(pieces.map(\.task.sound.sampleCount).reduce(0, +) == 720 * 48_000)
    }

    @Test func anOrderSaysWhatIsWrongWithIt() {
        func problem(_ grid: WaveformGrid, _ channels: Int = 2, _ lanes: WaveformOrder.Channels = .each) -> String? {
            MeasureOrder(.waveform(grid: grid, channels: lanes)).problem(sampleCount: 1 << 24, channels: channels)
        }
        #expect(MeasureOrder(.loudness).problem(sampleCount: 1, channels: 2) == nil)
        #expect(MeasureOrder(.loudness).problem(sampleCount: 0, channels: 2)?.contains("no sound") == true)
        #expect(problem(.evenly(columns: 16_384)) == nil && problem(.every(samples: 4)) == nil)
        #expect(problem(.every(samples: 2), 2, .mixed) == nil && problem(.every(samples: .max)) == nil)
        #expect(problem(.evenly(columns: 0)) != nil && problem(.evenly(columns: 16_385)) != nil)
        #expect(problem(.every(samples: 0)) != nil && problem(.every(samples: 3)) != nil)
        #expect(problem(.every(samples: -5)) != nil)
        #expect(WaveformGrid.every(samples: .max).columnCount(of: .max) == 1)
        #expect(WaveformGrid.every(samples: .max).end(ofColumn: 0, of: 77) == 77)
        #expect(WaveformGrid.every(samples: .max).start(ofColumn: 3, of: 77) == 77)
    }

    /// Each sample is in the column that begins last at it or before it.
    @Test(arguments: [
        WaveformGrid.evenly(columns: 1), .evenly(columns: 7), .evenly(columns: 103), .evenly(columns: 1000),
        .every(samples: 1), .every(samples: 9), .every(samples: 1000),
    ])
    func columnsHoldTheirSamples(grid: WaveformGrid) {
        for sample in Int64(0)..<103 {
            let columns = grid.columns(of: sample..<sample + 1, of: 103)
            #expect(columns.count == 1)
            #expect(grid.start(ofColumn: columns.lowerBound, of: 103) <= sample)
            #expect(grid.end(ofColumn: columns.lowerBound, of: 103) > sample)
        }
    }
}
