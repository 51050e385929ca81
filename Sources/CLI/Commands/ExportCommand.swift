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
        abstract:
            "Copy media into another file without encoding: trim, join, change the container; or have a farm encode files.",
        discussion: """
              cutfarm export movie.mkv -o movie.mp4
              cutfarm export movie.mp4 -o part.mp4 --range 10s 5s
              cutfarm export movie.mp4 -o part.mp4 --range 10s 5s --exact
              cutfarm export one.mp4 two.mp4 three.mp4 -o all.mp4
              cutfarm export *.mov --preset h264 --to exports/{name}.{ext}
              cutfarm export *.mov --preset h264 -o finished

            All streams are copied, with languages, chapters, tags, rotation and colour. A range grows to the nearest \
            frames at which the coded pictures allow a cut, and the command says which; with --exact an edit list \
            (MP4 and QuickTime) presents exactly what was asked for. Of several files the range is one of the joined \
            timeline. What does not fit is refused with the reason.

            With --preset each file is a job of a farm, which encodes it. --to has the coordinator put the movies into one \
            of its output folders, while no command waits; -o waits for them and fetches them into a folder that is there. \
            Both take names with {name}, {ext}, {preset} and {date}. The same command again gives the same jobs.
            """
    )

    @Argument(help: ArgumentHelp("Media files, which are joined in this order.", valueName: "file"))
    var files: [String]

    @Option(
        name: [.short, .customLong("output")],
        help:
            "The file to write: .mp4, .m4a, .mov, .mkv, .mka, .webm or .ts; with --preset a folder or a name with {name}."
    )
    var output: String?

    @Option(help: ArgumentHelp("Have a farm encode each file with this preset.", valueName: "name"))
    var preset: String?

    @Option(help: ArgumentHelp("With --preset: where the coordinator puts the movies by itself.", valueName: "target"))
    var to: String?

    @Flag(help: "With --to: replace files that are there.")
    var replace = false

    @Flag(help: "With --preset: make new jobs also of files that were submitted before.")
    var again = false

    @Flag(help: "With --preset: copy coded pictures instead of encoding them, where they fit the output.")
    var smart = false

    @Option(parsing: .unconditional, help: "With --preset: jobs with a higher number go first.")
    var priority = 0

    @OptionGroup(title: "With --preset: the farm") var farm: FarmOptions
    @OptionGroup(title: "With --preset: when") var when: JobTermsOptions

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
        guard preset != nil else {
            guard output != nil else { throw ValidationError("Missing expected argument '--output <output>'") }
            guard to == nil, !replace, !again, !smart, priority == 0 else {
                throw ValidationError(
                    "--to, --replace, --again, --smart and --priority are for a farm; say --preset too."
                )
            }
            return try validateRange()
        }
        guard output != nil || to != nil else {
            throw ValidationError("Say where the movies go: --to TARGET at the coordinator, or -o FOLDER here.")
        }
        guard range.isEmpty, !exact, without.isEmpty, !dropUnfit else {
            throw ValidationError(
                "With --preset whole files are encoded; leave out --range, --exact, --without and --drop-unfit."
            )
        }
    }

    private func validateRange() throws {
        guard !exact || !range.isEmpty else {
            throw ValidationError("--exact says how the ends of --range are kept; give --range START DURATION.")
        }
    }

    func run() async throws {
        if let preset { return try await runOnFarm(preset) }
        guard let output else { return }
        try await copy(to: output)
    }

    /// Has a farm encode each file.
    private func runOnFarm(_ preset: String) async throws {
        let names = Dictionary(grouping: files) { ($0 as NSString).lastPathComponent.withoutExtension }
        if let output, files.count > 1, !PlannedOutput.isExistingFolder(output), try NamePattern(output).isPlain {
            throw CommandFailure(
                .usage,
                "\(output) is one name for \(files.count) files; name a folder that is there, or {name}."
            )
        }
        if let twice = Dictionary(grouping: files, by: \.self).filter({ $0.value.count > 1 }).keys.sorted().first {
            throw CommandFailure(.usage, "\(twice) is given twice; give it once.")
        }
        if let same = names.filter({ $0.value.count > 1 }).keys.sorted().first {
            throw CommandFailure(
                .usage,
                "Several files are named “\(same)”, and so would be their movies; export them one by one."
            )
        }
        var outputs = try OutputOptions.parse([])
        (outputs.preset, outputs.smart) = (preset, smart)
        let export = FarmExport(
            files: files,
            outputs: outputs,
            defaults: .init(
                priority: priority,
                terms: when.terms,
                to: to,
                replaces: replace,
                isForced: force,
                isRepeatable: !again,
                watches: output != nil
            ),
            output: output,
            json: json
        )
        try await export.run(
            on: farm.connect(),
            stateFolder: StateFolder.place(local.state),
            allowUnsandboxed: local.allowUnsandboxed
        )
    }

    private func copy(to output: String) async throws {
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
