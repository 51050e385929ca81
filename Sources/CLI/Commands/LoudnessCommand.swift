import ArgumentParser
import Foundation
import Shared
import Storage

struct LoudnessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loudness",
        abstract: "Measure how loud an edit or a media file is (EBU R128).",
        discussion: """
              cutfarm loudness edit.json
              cutfarm loudness movie.mp4 --range 10s 60s --json

            Of the mix as it is rendered, with what the master does to it, before any encoder.
            """
    )

    @Flag(help: "A JSON object on standard output.")
    var json = false

    @OptionGroup var part: MediaSpan

    func run() async throws {
        let pictures = try await part.pictures(isHeard: true)
        let task = try pictures.sound()
        let result = try await pictures.withFiles(of: task.assets, for: "loudness") { files in
            let request = LoudnessRequest(task: task, sources: files.sources, scratchFolder: files.folder.path)
            return try await Interruptible.run { try await files.run(.loudness(request)) }
        }
        guard case .loudness(let summary) = result else {
            throw CommandFailure(.internalError, "The render process answered something else.")
        }
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
