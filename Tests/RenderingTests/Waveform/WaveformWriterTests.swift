import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing

@testable import Rendering

/// Waveforms against numpy, and their images against their numbers.
@Suite struct WaveformWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let colors = WaveformColors(
        background: "#102030",
        peak: "#ff8000",
        average: "#00c0ff",
        over: "#ff0040"
    )

    private func order(
        _ format: WaveformOrder.Format,
        _ grid: WaveformGrid,
        height: Int = 60,
        _ channels: WaveformOrder.Channels = .each,
        bits: Int = 16
    ) -> WaveformOrder {
        WaveformOrder(format: format, grid: grid, height: height, channels: channels, colors: Self.colors, bits: bits)
    }

    /// Noise that swells on the left and falls on the right; half a second.
    private func swell() async throws -> SoundFile {
        let sound = "aevalsrc='1.9*t*(random(0)-0.5)|(1-1.9*t)*(mod(5*random(0),1)-0.5)':s=48000:d=0.5"
        return try await SoundFile.make("swell.wav", in: folder, ["-f", "lavfi", "-i", sound, "-c:a", "pcm_s24le"])
    }

    private func write(_ order: WaveformOrder, _ task: SoundTask, _ file: SoundFile) throws -> String {
        let path = folder.path("\(UUID().uuidString).\(order.format.rawValue)")
        let count = try WaveformWriter.write(
            task,
            as: order,
            sources: [try file.source()],
            to: path,
            scratchFolder: folder.url.path,
            progress: { _ in }
        )
        #expect(count == Int64(order.grid.columnCount(of: task.sampleCount)))
        return path
    }

    private let task = SoundTask.mix([AudioTrack([.clip(at: 0, count: 24_000)])], count: 24_000)

    @Test(
        .enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled),
        arguments: [
            (WaveformGrid.evenly(columns: 333), WaveformOrder.Channels.each, 24), (.evenly(columns: 100), .mixed, 16),
            (.every(samples: 512), .each, 16), (.every(samples: 100), .mixed, 8),
        ]
    )
    func theNumbersAreThoseOfNumpy(grid: WaveformGrid, channels: WaveformOrder.Channels, bits: Int) async throws {
        let file = try await swell()
        let path = try write(order(.json, grid, channels, bits: bits), task, file)
        let raw = folder.path("swell.s24")
        try await Shell.ffmpeg(["-i", file.path, "-f", "s24le", raw])
        try await compare(path, raw, channels == .mixed ? ["--mixed"] : [])
    }

    private func compare(_ path: String, _ raw: String, _ words: [String]) async throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Oracles/waveform_oracle.py").path
        let outcome = try await Shell.run("python3", [script, path, raw, "2"] + words)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private struct Numbers: Decodable {
        var length: Int
        var data: [Int32]
        var rms: [Int32]
    }

    @Test func anImageShowsTheNumbers() async throws {
        let file = try await swell()
        let numbers = try JSONDecoder().decode(
            Numbers.self,
            from: Data(
                contentsOf: URL(fileURLWithPath: try write(order(.json, .evenly(columns: 90), bits: 24), task, file))
            )
        )
        let image = try write(order(.png, .evenly(columns: 90), height: 61), task, file)
        let pixels = [UInt8](try await Shell.ffmpeg(["-i", image, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
        try #require(pixels.count == 90 * 61 * 3)
        for lane in 0...1 {
            let rows = LaneRows(lane: lane, of: 2, height: 61)
            for column in 0..<90 {
                let place = 2 * column + lane
                let peaks = rows.rows(from: numbers.data[2 * place], to: numbers.data[2 * place + 1])
                let average = rows.rows(from: -numbers.rms[place], to: numbers.rms[place])
                for row in rows.top..<rows.top + rows.height {
                    var color: [UInt8] = [0x10, 0x20, 0x30]
                    if peaks.contains(row) { color = [0xFF, 0x80, 0] }
                    if average.contains(row) { color = [0, 0xC0, 0xFF] }
                    let first = 3 * (row * 90 + column)
                    #expect(Array(pixels[first..<first + 3]) == color, "\(column), \(row)")
                }
            }
        }
    }

    @Test func aDrawingHasAPathForEachLevel() async throws {
        let path = try write(order(.svg, .evenly(columns: 40)), task, try await swell())
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("<svg ") && text.hasSuffix("</svg>\n"))
        #expect(text.split(separator: "<path").count == 5)
        #expect(text.split(separator: "H40").count == 5, "each path reaches the right end once")
        let png = folder.path("drawing.xml")
        try Data(text.utf8).write(to: URL(fileURLWithPath: png))
        let parsed = try await Shell.run(
            "python3",
            ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", png]
        )
        #expect(parsed.exitCode == 0, "\(parsed.errors)")
    }

    /// 32-bit floats at +6 dB for a quarter of a second, then a tenth of full scale.
    private func loud() async throws -> SoundFile {
        let sound = "aevalsrc='if(lt(t,0.25),1.9953,0.1)*sin(2*PI*997*t)|0.5*sin(2*PI*440*t)':s=48000:d=0.5"
        return try await SoundFile.make("loud.wav", in: folder, ["-f", "lavfi", "-i", sound, "-c:a", "pcm_f32le"])
    }

    /// More than 256 times full scale is all that a column holds.
    @Test(arguments: [WaveformOrder.Format.png, .svg, .json])
    func theLoudestIsDrawn(format: WaveformOrder.Format) async throws {
        let sound = ["-f", "lavfi", "-i", "aevalsrc='-300|300':s=48000:d=0.5", "-c:a", "pcm_f32le"]
        let file = try await SoundFile.make("loudest.wav", in: folder, sound)
        #expect(try FileManager.default.contents(atPath: write(order(format, .evenly(columns: 9)), task, file)) != nil)
    }

    @Test(
        .enabled("python3 with numpy and scipy is needed", MixOracle.isInstalled),
        arguments: [(WaveformOrder.Channels.each, 16), (.each, 24), (.mixed, 24), (.each, 8)]
    )
    func whatIsLouderThanFullScaleIsSaid(channels: WaveformOrder.Channels, bits: Int) async throws {
        let file = try await loud()
        let path = try write(order(.json, .evenly(columns: 50), channels, bits: bits), task, file)
        let raw = folder.path("loud.f32")
        try await Shell.ffmpeg(["-i", file.path, "-f", "f32le", raw])
        try await compare(path, raw, ["--float"] + (channels == .mixed ? ["--mixed"] : []))
        let said = try JSONDecoder().decode(Over.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        guard channels == .each else { return #expect(said.over.count == 25) }
        #expect(said.over.map { $0[0] } == Array(0..<25) && said.over.allSatisfy { $0[1] == 0 })
        #expect(said.levels.map(\.peak) == [6, -6.02])
        let full = 1 << (bits - 1)
        #expect(abs(Double(said.over.map { $0[3] }.max() ?? 0) / Double(full) - 1.9953) < 0.01)
        #expect(said.data.allSatisfy { (-full...full - 1).contains($0) }, "players keep as many bits")
    }

    private struct Over: Decodable {
        struct Level: Decodable { var peak: Double }

        var levels: [Level]
        var data: [Int]
        var over: [[Int]]
    }

    @Test func imagesMarkWhatIsLouderThanFullScale() async throws {
        let file = try await loud()
        let image = try write(order(.png, .evenly(columns: 50)), task, file)
        let pixels = [UInt8](try await Shell.ffmpeg(["-i", image, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
        try #require(pixels.count == 50 * 60 * 3)
        func colors(_ column: Int, _ rows: Range<Int>) -> Set<[UInt8]> {
            var found: Set<[UInt8]> = []
            for row in rows {
                let first = 3 * (row * 50 + column)
                found.insert(Array(pixels[first..<first + 3]))
            }
            return found
        }
        let mark: [UInt8] = [0xFF, 0, 0x40]
        #expect(colors(3, 0..<30) == [mark], "to both edges of its lane")
        #expect(!colors(30, 0..<30).contains(mark))
        #expect(!colors(3, 30..<60).contains(mark))
        let drawing = try write(order(.svg, .evenly(columns: 50)), task, file)
        let text = try String(contentsOfFile: drawing, encoding: .utf8)
        #expect(text.contains("<path fill=\"#ff0040\" d=\"M0 0H1V30H0ZM1 0H2V30H1Z"))
        let paths = text.split(separator: "\n").filter { $0.hasPrefix("<path") }
        #expect(paths.count == 5 && paths.filter { $0.contains("#ff0040") }.count == 1)
    }

    @Test func silenceIsALineInTheMiddle() throws {
        let path = folder.path("silence.json")
        _ = try WaveformWriter.write(
            .mix([], count: 4800),
            as: order(.json, .evenly(columns: 3)),
            sources: [],
            to: path,
            scratchFolder: folder.url.path,
            progress: { _ in }
        )
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"levels\":[{\"peak\":null,\"rms\":null},{\"peak\":null,\"rms\":null}]"))
        #expect(text.contains("\"data\":[0,0,0,0,0,0,0,0,0,0,0,0]"))
    }

    @Test func rowsAreWhereSamplesLie() {
        let rows = LaneRows(lane: 0, of: 1, height: 100)
        #expect(rows.rows(from: 0, to: 0) == 49..<50)
        #expect(rows.rows(from: -8_388_608, to: 8_388_607) == 0..<100)
        #expect(rows.rows(from: -4_194_304, to: 4_194_304) == 24..<75)
        #expect(LaneRows(lane: 1, of: 2, height: 61).rows(from: -8_388_608, to: 8_388_607) == 30..<61)
    }

    @Test func whatIsTooLargeIsRefused() async throws {
        let file = try await swell()
        for wrong in [
            order(.png, .evenly(columns: 16_385)), order(.png, .every(samples: 1)), order(.png, .every(samples: 0)),
            order(.png, .evenly(columns: 10), height: 1), order(.json, .evenly(columns: 0)),
        ] {
            let error = #expect(throws: RenderError.self) { try write(wrong, task, file) }
            #expect(error?.failure.code == "invalid_waveform")
        }
    }

    /// One plain clip is decoded while it is mixed: the same bits as by way of the scratch file, where two clips go.
    @Test(arguments: [("a.m4a", 44_100, 1), ("a.ac3", 48_000, 6), ("a.wav", 48_000, 2)])
    func aPlainClipIsNotKept(name: String, rate: Int, channels: Int) async throws {
        let sound = (1...channels).map { "0.3*(mod(\($0 * $0)*random(0),1)-0.5)" }.joined(separator: "|")
        let file = try await SoundFile.make(
            name,
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='\(sound)':s=\(rate):d=8"]
        )
        let clip = AudioTrackSegment.clip(at: 100, count: 370_000, from: 50)
        let streamed = SoundTask.mix([AudioTrack([clip])], count: 380_000, first: 30)
        let kept = SoundTask.mix(
            [AudioTrack([clip, .clip(at: 390_000, count: 10, from: 0)])],
            count: 380_000,
            first: 30
        )
        let level = { (task: SoundTask) in
            try SoundLevel(task, sampleRate: { _ in rate }).streamed
        }
        #expect(try level(streamed).count == 1 && level(kept).isEmpty)
        #expect(try RenderedSound(streamed, [file], in: folder).bytes == RenderedSound(kept, [file], in: folder).bytes)
    }
}
