import ArgumentParser
import Foundation
import Storage
import WireProtocol

struct LoudnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loudness",
        abstract: "Measure how loud an edit or a media file is (EBU R128).",
        discussion: """
              cutfarm loudness edit.json
              cutfarm loudness movie.mp4 --range 10s 60s --json
              cutfarm loudness movie.mkv --track audio/1
              cutfarm loudness edit.json --coordinator http://farm:7411

            Of an edit's mix as it is rendered, with what the master does to it, before any encoder; of a file's sound as \
            it is. A loudness needs 0.4 s of sound, its range 3 s above -70 LUFS; what there is no number for is – in the \
            table and null in JSON. With --coordinator a farm measures it in pieces: the same numbers.
            """
    )

    @Flag(help: "A JSON object on standard output.")
    var json = false

    @OptionGroup var part: MediaSpanOptions
    @OptionGroup var elsewhere: RenderLocationOptions

    func run() async throws {
        let rendering = try await part.rendering(.sound)
        let task = try rendering.sound()
        for note in rendering.soundNotes { Console.error(note) }
        let folder = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-loudness-")
        defer { withExtendedLifetime(folder) {} }
        let measurement = SoundMeasurement(
            rendering: rendering,
            farm: try elsewhere.measures(rendering, part.media.local),
            workers: elsewhere.processes,
            folder: folder.path
        )
        let summary = try await Interruptible.run { try await measurement.loudness(of: task) }
        if json { try JSONOutput.print(summary) } else { Console.print(Self.text(summary)) }
    }

    static func text(_ summary: LoudnessSummary) -> String {
        let rows: [(String, Double?, String)] = [
            ("integrated", summary.integrated, "LUFS"), ("range", summary.range, "LU"),
            ("true peak", summary.truePeak, "dBTP"), ("loudest 0.4 s", summary.maximumMomentary, "LUFS"),
            ("loudest 3 s", summary.maximumShortTerm, "LUFS"),
        ]
        return rows.map { name, value, unit in
            let number = value.map { String(format: "%8.1f \(unit)", $0) } ?? "       –"
            return name.padding(toLength: 14, withPad: " ", startingAt: 0) + number
        }.joined(separator: "\n")
    }
}
