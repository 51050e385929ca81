import ArgumentParser
import CompositionModel
import Foundation
import Ingest
import Sandbox
import Storage
import Timing
import WireProtocol

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Copy media into another file without encoding: trim, join, change the container.",
        discussion: """
              cutfarm export movie.mkv -o movie.mp4
              cutfarm export movie.mp4 -o part.mp4 --range 10s 5s
              cutfarm export movie.mp4 -o part.mp4 --range 10s 5s --exact
              cutfarm export one.mp4 two.mp4 three.mp4 -o all.mp4

            All streams are copied, with languages, chapters, tags, rotation and colour. A range grows to the nearest \
            frames at which the coded pictures allow a cut, and the command says which; with --exact an edit list \
            (MP4 and QuickTime) presents exactly what was asked for. Of several files the range is one of the joined \
            timeline. What does not fit is refused with the reason.
            """
    )

    @Argument(help: ArgumentHelp("Media files, which are joined in this order.", valueName: "file"))
    var files: [String]

    @Option(
        name: [.short, .customLong("output")],
        help: "The file to write: .mp4, .m4a, .mov, .mkv, .mka, .webm or .ts."
    )
    var output: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only this span of the file, or of the joined files.", valueName: "start duration")
    )
    var range: [String] = []

    @Flag(help: "Present exactly the frames and samples of the range.")
    var exact = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Leave out streams, such as: --without audio/1 subtitles/0", valueName: "stream")
    )
    var without: [String] = []

    @Flag(help: "Leave out what the container cannot hold, and say what.")
    var dropUnfit = false

    @Flag(help: "Replace a file that exists.")
    var force = false

    @Flag(help: "A JSON object on standard output.")
    var json = false

    @OptionGroup var local: LocalMediaOptions

    func validate() throws {
        guard range.isEmpty || range.count == 2 else {
            throw ValidationError("--range takes two times, START and DURATION; put it behind the files.")
        }
        guard !exact || !range.isEmpty else {
            throw ValidationError("--exact says how the ends of --range are kept; give --range START DURATION.")
        }
    }

    func run() async throws {
        let format = try ExportName.format(of: output, isExact: exact)
        let probe = local.probe()
        let inputs = try await ExportInputs(files, probe: probe)
        let span = try inputs.span(range)
        try inputs.protect(from: output)
        let file = try OutputFile(path: output, isForced: force)
        let advice = ExportAdvice(
            paths: files,
            facts: inputs.sources.compactMap(\.facts),
            range: span,
            output: output,
            isForced: force,
            probe: probe
        )
        let process = RenderProcess(allowUnsandboxed: local.allowUnsandboxed)
        let report = try await Interruptible.run {
            try await file.deliverWhole(named: "export.\((output as NSString).pathExtension)") { path in
                let request = ExportRequest(
                    sources: inputs.sources,
                    names: files,
                    range: span,
                    isExact: exact,
                    format: format,
                    without: without,
                    dropsUnfit: dropUnfit,
                    output: path
                )
                return try await inputs.run(request, by: process, advice: advice)
            }
        }
        for warning in report.warnings { Console.error("Warning: \(warning)") }
        for note in report.notes { Console.error("note: \(note)") }
        if json {
            try JSONOutput.print(report)
        } else {
            Console.print(ExportName.summary(report, path: output, asked: span))
        }
    }
}
