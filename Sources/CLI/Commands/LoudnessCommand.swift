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

    @Argument(help: "An edit, a composition, or a media file.")
    var input: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only this span of the timeline.", valueName: "start duration")
    )
    var range: [String] = []

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    @Flag(help: "A JSON object on standard output.")
    var json = false

    @OptionGroup var local: LocalMediaOptions

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the input.")
        }
    }

    func run() async throws {
        let pictures = try await LocalPictures(
            input,
            assets: asset,
            parameters: param,
            range: range,
            local: local,
            isHeard: true
        )
        let task = try pictures.sound()
        let folder = try ScratchFolder(below: FileManager.default.temporaryDirectory.path, named: "cutfarm-loudness-")
        defer { withExtendedLifetime(folder) {} }
        let (sources, readable) = try await pictures.sources(task.assets, scratch: folder.path)
        let request = LoudnessRequest(task: task, sources: sources, scratchFolder: folder.path)
        let result = try await Interruptible.run { [scratch = folder.path] in
            try await pictures.run(.loudness(request), readable: readable, writable: [scratch])
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
