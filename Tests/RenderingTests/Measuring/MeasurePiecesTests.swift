import CompositionModel
import Foundation
import Planning
import Samples
import TestSupport
import Testing
import WireProtocol

@testable import Rendering

/// Sound measured in pieces: joined, the reading, the columns and the files are those of one pass, to the bit.
@Suite struct MeasurePiecesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// 75.3 s at 8 kHz: a voice that comes and goes, music that ducks under it in a room, and a limiter over all.
    private func edit() async throws -> (PlannedEdit, [String: TestMovie]) {
        let voice = "(0.5*gt(mod(t,7),3))*(0.6*sin(2*PI*(200+3*t)*t)+0.4*(random(0)-0.5))"
        let music = "0.7*sin(2*PI*330*t)*sin(2*PI*0.3*t)+0.2*(random(1)-0.5)"
        let make = { (name: String, sound: String, rate: Int) in
            try await TestMovie.make(
                name,
                in: folder,
                ["-f", "lavfi", "-i", "aevalsrc='\(sound)|\(sound)':s=\(rate):d=76", "-c:a", "pcm_s16le"]
            )
        }
        let movies = [
            "voice": try await make("voice.wav", voice, 8000), "music": try await make("music.wav", music, 11_025),
        ]
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "10", "sampleRate": 8000, "channels": 2 },
              "assets": { "voice": "voice.wav", "music": "music.wav" },
              "master": { "volume": 1.9, "limiter": { "ceiling": "-3dB" } },
              "tracks": [
                { "kind": "audio", "id": "v", "segments": [
                    { "asset": "voice", "duration": "30.1s" },
                    { "transition": "dissolve", "duration": "1s" },
                    { "asset": "voice", "in": "29s", "duration": "46.2s" } ] },
                { "kind": "audio", "duck": { "under": "v", "by": "-14dB", "threshold": "-30dB" },
                  "processors": [{ "processor": "reverb", "decay": "0.4s" }],
                  "segments": [{ "asset": "music", "duration": "75.3s" }] } ] }
            """
        return (try PlannedEdit(text, movies), movies)
    }

    private func sources(_ task: SoundTask, _ movies: [String: TestMovie]) throws -> [RenderSource] {
        try task.assets.map { digest in
            let movie = movies.values.first { ContentDigest(of: Data($0.path.utf8)) == digest }
            return try #require(movie).source()
        }
    }

    /// Measures in `count` pieces, each with a file of its own.
    private func measure(
        _ edit: PlannedEdit,
        _ movies: [String: TestMovie],
        _ what: SoundMeasure,
        _ count: Int
    ) throws -> [String] {
        let pieces = try edit.measures(what, count)
        #expect(pieces.count == count)
        return try pieces.map { piece in
            let path = folder.path("\(UUID().uuidString).piece")
            let units = try MeasureRenderer.measure(
                piece.task,
                sources: try sources(piece.task.sound, movies),
                to: path,
                scratchFolder: folder.url.path,
                progress: { _ in }
            )
            #expect(units == piece.task.sound.sampleCount)
            return path
        }
    }

    private func request(_ pieces: [String], _ whole: SoundTask, _ result: JoinRequest.Result) -> JoinRequest {
        JoinRequest(
            pieces: pieces,
            sampleRate: whole.sampleRate,
            channels: whole.channels,
            wholeSampleCount: whole.sampleCount,
            result: result
        )
    }

    @Test func loudnessIsThatOfOnePass() async throws {
        let (edit, movies) = try await edit()
        let whole = try #require(try edit.plan(1).sound)
        #expect(whole.sampleCount == 602_400)
        let meter = LoudnessMeter(weights: LoudnessPass.weights(channels: 2), sampleRate: 8000)
        try SoundRenderer.mix(
            whole,
            sources: try sources(whole, movies),
            scratchFolder: folder.url.path,
            progress: { _ in },
            take: { meter.measure($0) }
        )
        meter.finish()
        #expect(meter.reading.energies.count == 753 && meter.reading.truePeak > 0.5)
        let summary = try LoudnessPass.summary(
            whole,
            sources: try sources(whole, movies),
            scratchFolder: folder.url.path,
            progress: { _ in }
        )
        for count in [1, 2, 7] {
            let paths = try measure(edit, movies, .loudness, count)
            let pieces = try paths.map { try #require(LoudnessPiece(decoding: [UInt8](try bytes($0)))) }
            let joined = try #require(LoudnessPiece.join(pieces, sampleRate: 8000, wholeSampleCount: whole.sampleCount))
            #expect(joined.energies.map(\.bitPattern) == meter.reading.energies.map(\.bitPattern), "\(count)")
            #expect(joined.truePeak.bitPattern == meter.reading.truePeak.bitPattern, "\(count)")
            #expect(try MeasureJoin.loudness(request(paths, whole, .loudness)) == summary)
            // A piece that is missing, or twice, is no programme.
            for wrong in [Array(paths.dropFirst()), paths + [paths[0]], Array(paths.reversed())] where wrong != paths {
                #expect(throws: RenderError.self) { try MeasureJoin.loudness(request(wrong, whole, .loudness)) }
            }
        }
    }

    @Test(arguments: [
        (WaveformGrid.evenly(columns: 333), WaveformOrder.Channels.each), (.every(samples: 4001), .mixed),
        (.every(samples: 100), .each),
    ])
    func aWaveformIsThatOfOnePass(grid: WaveformGrid, channels: WaveformOrder.Channels) async throws {
        let (edit, movies) = try await edit()
        let whole = try #require(try edit.plan(1).sound)
        let colors = WaveformColors(
            background: "#102030",
            peak: "#ff8000",
            average: "#00c0ff",
            over: "#ff0000"
        )
        let formats: [WaveformOrder.Format] = [.json, .svg, .png]
        let orders = formats.map {
            WaveformOrder(format: $0, grid: grid, height: 60, channels: channels, colors: colors, bits: 24)
        }
        let expected = try orders.map { order in
            let path = folder.path("whole.\(order.format.rawValue)")
            _ = try WaveformWriter.write(
                whole,
                as: order,
                sources: try sources(whole, movies),
                to: path,
                scratchFolder: folder.url.path,
                progress: { _ in }
            )
            return try bytes(path)
        }
        for count in [1, 2, 7] {
            let paths = try measure(edit, movies, .waveform(grid: grid, channels: channels), count)
            for (order, expected) in zip(orders, expected) {
                let path = folder.path("joined.\(order.format.rawValue)")
                _ = try MeasureJoin.waveform(
                    request(paths, whole, .waveform(order, output: path)),
                    as: order,
                    to: path
                )
                #expect(try bytes(path) == expected, "\(count) \(order.format)")
            }
            let path = folder.path("wrong.svg")
            for wrong in [Array(paths.dropFirst()), paths + [paths[0]]] {
                #expect(throws: RenderError.self) {
                    try MeasureJoin.waveform(
                        request(wrong, whole, .waveform(orders[1], output: path)),
                        as: orders[1],
                        to: path
                    )
                }
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// What a child gets from a farm that is not itself.
    @Test func aTaskThatCannotBeIsRefused() async throws {
        let (edit, movies) = try await edit()
        let good = try edit.measures(.loudness, 7)[1].task
        let path = folder.path("none")
        for change in [
            { $0.start += 8000 }, { $0.sound.extent = .whole }, { $0.sound.extent = .piece(SoundPiece(preRoll: 400)) },
            { $0.wholeSampleCount = 10 },
            { $0.start = -80_000 }, { $0.sound.sampleCount = 0 }, { $0.sound.sampleCount -= 1 },
            { $0.what = .waveform(grid: .every(samples: 0), channels: .each) },
            { $0.what = .waveform(grid: .evenly(columns: 20_000), channels: .each) },
        ] as [(inout MeasureTask) -> Void] {
            var task = good
            change(&task)
            #expect(throws: RenderError.self) {
                try MeasureRenderer.measure(
                    task,
                    sources: try sources(task.sound, movies),
                    to: path,
                    scratchFolder: folder.url.path,
                    progress: { _ in }
                )
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}
