import CompositionModel
import Foundation
import Media
import Planning
import TestSupport
import Testing
import Timing

@testable import Rendering

/// Programmes that are brought to a loudness in pieces, as a farm does: the samples that one task gives.
@Suite struct LoudnessPiecesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Made {
        var bytes = Data()
        /// Samples that each round measured.
        var measured: [Int64] = []
        var warnings: [Failure] = []
    }

    /// 62 s of 16 kHz: noise that is loud and quiet by turns, with or without spikes, through a compressor and an
    /// equaliser.
    private func edit(spikes: Bool, target: String, truePeak: String) async throws -> PlannedEdit {
        let level = "0.067*(1+2*gt(mod(t,8),4))*(random(0)-0.5)"
        let spike = spikes ? "+0.6*lt(mod(t,0.5),0.0004)" : ""
        let noise = try await TestMovie.make(
            "noise.wav",
            in: folder,
            ["-f", "lavfi", "-i", "aevalsrc='\(level)\(spike)|\(level)':s=16000:d=40", "-c:a", "pcm_s24le"]
        )
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 16000, "channels": 2 },
              "assets": { "noise": "noise.wav" },
              "master": { "processors": [{ "processor": "equalizer", "bands": [
                    { "band": "highShelf", "frequency": 4000, "gain": "3dB" } ] }],
                "loudness": { "target": "\(target)", "truePeak": "\(truePeak)" } },
              "tracks": [
                { "kind": "audio", "segments": [
                    { "asset": "noise", "duration": "31s" }, { "transition": "dissolve", "duration": "1s" },
                    { "asset": "noise", "in": "3s", "duration": "32s" } ] },
                { "kind": "audio", "processors": [{ "processor": "compressor" }], "segments": [
                    { "gap": "20s" }, { "asset": "noise", "in": "7s", "duration": "30s", "volume": 0.2 } ] } ] }
            """
        return try PlannedEdit(text, ["noise": noise])
    }

    /// Measures round by round and then makes the pieces, each from the files of the rounds before it.
    private func make(_ edit: PlannedEdit, _ plan: RenderPlan) throws -> Made {
        var made = Made()
        var readings: [[String]] = []
        for (number, round) in (plan.soundRounds ?? []).enumerated() {
            var files: [String] = []
            var measured: Int64 = 0
            for (place, piece) in round.enumerated() {
                let path = folder.path("reading-\(UUID().uuidString)-\(number)-\(place)")
                measured += try MeasureRenderer.measure(
                    piece.task,
                    readings: readings,
                    sources: edit.sources(of: piece.task.sound.assets),
                    to: path,
                    scratchFolder: folder.url.path,
                    progress: { _ in }
                )
                files.append(path)
            }
            readings.append(files)
            made.measured.append(measured)
        }
        for piece in plan.soundPieces {
            var task = piece.task
            if task.extent.programme != nil {
                let measured = try MeasuredProgramme(of: task, readings: readings)
                task = try measured.adjusted(task) { made.warnings.append($0) }
            }
            made.bytes += try edit.bytes(of: task, in: folder)
        }
        return made
    }

    /// Without and with peaks that the limiter has to hold.
    @Test(arguments: [(false, "-23LUFS", "-1dBTP"), (true, "-18LUFS", "-6dBTP")])
    func anyNumberOfPiecesIsTheOneTask(spikes: Bool, target: String, truePeak: String) async throws {
        let edit = try await edit(spikes: spikes, target: target, truePeak: truePeak)
        let one = try edit.plan(1)
        #expect(one.soundRounds == nil && one.soundPieces.map(\.task) == [one.sound])
        let whole = try make(edit, one)
        // Where no peak is limited each sample is its own affair, but for the mix's, which other tests divide.
        for count in spikes ? [2, 7] : [7] {
            let plan = try edit.plan(count)
            #expect(plan.soundPieces.count == count && plan.soundRounds?.count == 4)
            #expect(plan.soundRounds?.allSatisfy { $0.count == count } == true)
            let made = try make(edit, plan)
            #expect(made.bytes == whole.bytes, "\(count) pieces")
            #expect(made.warnings.isEmpty)
            // What need not be measured is not.
            #expect(made.measured.allSatisfy { [0, plan.sampleCount].contains($0) })
            #expect(made.measured[0] == plan.sampleCount && (made.measured[1] > 0) == spikes, "\(made.measured)")
        }
        let judged = try await FFmpegMeter.judge(whole.bytes, sampleRate: 16_000, in: folder)
        #expect(abs(judged.integrated - (spikes ? -18 : -23)) <= 0.5, "\(judged)")
        #expect(judged.peak <= (spikes ? -6 : -1) + 0.1, "\(judged)")
    }

    /// Cells are counted from what is rendered, not from the timeline's zero.
    @Test func aRangeIsAProgrammeOfItsOwn() async throws {
        let edit = try await edit(spikes: true, target: "-20LUFS", truePeak: "-9dBTP")
        let range = FrameRange(start: 333, count: 23 * 25)
        let whole = try make(edit, try edit.plan(1, range: range))
        let plan = try edit.plan(3, range: range)
        #expect(plan.soundPieces.count == 3 && plan.soundPieces[0].task.firstSample == 333 * 640)
        let pieces = try make(edit, plan)
        #expect(pieces.bytes == whole.bytes)
    }

    /// Said once, by the first piece.
    @Test func aTargetThatCannotBeReachedIsSaidOnce() async throws {
        let edit = try await edit(spikes: true, target: "-6LUFS", truePeak: "-9dBTP")
        let made = try make(edit, try edit.plan(3, range: FrameRange(start: 100, count: 21 * 25)))
        #expect(made.warnings.map(\.code) == ["loudness_not_reached"])
        #expect(made.measured.allSatisfy { $0 > 0 })
    }

    @Test func readingsOfSomethingElseAreRefused() async throws {
        let edit = try await edit(spikes: false, target: "-23LUFS", truePeak: "-1dBTP")
        let plan = try edit.plan(2, range: FrameRange(start: 0, count: 16 * 25))
        let round = try #require(plan.soundRounds?.first)
        let files = try round.enumerated().map { place, piece in
            let path = folder.path("reading-\(place)")
            _ = try MeasureRenderer.measure(
                piece.task,
                sources: edit.sources(of: piece.task.sound.assets),
                to: path,
                scratchFolder: folder.url.path,
                progress: { _ in }
            )
            return path
        }
        let piece = plan.soundPieces[1].task
        _ = try MeasuredProgramme(of: piece, readings: [files]).adjusted(piece) { _ in }
        var other = piece
        var programme = try #require(other.extent.programme)
        programme.sampleCount += 1
        other.extent = other.extent.measured(as: programme)
        for (task, readings) in [
            (piece, []), (piece, [[files[1], files[0]]]), (piece, [[files[0]]]), (other, [files]),
        ] {
            let error = #expect(throws: RenderError.self) {
                try MeasuredProgramme(of: task, readings: readings).adjusted(task) { _ in }
            }
            #expect(error?.failure.code == "invalid_measurement")
        }
        let empty = folder.path("empty")
        try Data().write(to: URL(fileURLWithPath: empty))
        #expect(throws: RenderError.self) { try MeasuredProgramme(of: piece, readings: [[empty]]) }
        // Nobody mixes a piece as if it were the whole.
        let error = #expect(throws: RenderError.self) { try edit.bytes(of: piece, in: folder) }
        #expect(error?.failure.code == "invalid_sound_task")
    }
}
