import ArgumentParser
import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import Sandbox
import WireProtocol

struct RenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render an edit on this machine.",
        discussion: """
            Runs a coordinator and workers in this process for this one edit. Rendered parts are kept below the state \
            folder (--parts-limit): a later version of the edit renders only what changed.

              cutfarm render edit.json -o movie.mp4
              cutfarm render edit.json -o archive.mkv --preset lossless --workers 4
              cutfarm render edit.json -o part.mp4 --range 00:00:10:00 5s
              cutfarm render edit.json -o mix.wav
            """
    )

    @OptionGroup var edit: EditOptions
    @OptionGroup var outputs: OutputOptions

    @Option(
        name: [.short, .customLong("output")],
        help: "The movie, or a folder that is there; several outputs need one."
    )
    var output: String?

    @Option(help: "Workers; each renders one segment at a time on one core.")
    var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)

    @Flag(help: "Replace outputs that exist.")
    var force = false

    @Option(help: ArgumentHelp("Folder for what the farm needs while it runs.", valueName: "folder"))
    var state: String?

    @OptionGroup var parts: PartsOptions

    @Flag(help: "Progress as JSON lines on standard output.")
    var json = false

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    func validate() throws {
        guard (1...256).contains(workers) else { throw ValidationError("--workers takes a number from 1 to 256.") }
    }

    func run() async throws {
        let file = try edit.load(preset: outputs.preset)
        let process = RenderProcess(allowUnsandboxed: allowUnsandboxed)
        let probe = LocalProbe(process: process, stateFolder: StateFolder.place(state))
        let options = outputs.named(by: output, for: file.read.document)
        if let note = options.smartNote(for: file.read.document) { Console.error(note) }
        try await file.checkBeforeSending(probe, options: options)
        guard let document = file.read.document else { return }
        let compiled = try await file.outputsFollowingSources(probe, options: options)
        for words in (compiled ?? []).compactMap(\.matchWords) { Console.error("The output \(words).") }
        let planned = try PlannedOutput.list(
            document,
            title: file.title,
            preset: options.preset,
            destination: output,
            isForced: force,
            needsFiles: true,
            compiled: compiled
        )
        try file.protect(from: planned.compactMap(\.path))
        // Before a farm is started for them.
        var claims = OutputClaims()
        try claims.claim(planned.compactMap(\.path), place: edit.edit)
        let stateFolder = try StateFolder.path(state)
        let farm = LocalFarm(
            workers: workers,
            stateFolder: stateFolder,
            allowUnsandboxed: allowUnsandboxed,
            partsLimit: parts.limit
        )
        let fonts = FontFinder(process: RenderProcess(allowUnsandboxed: allowUnsandboxed))
        let display = ProgressDisplay(json: json)
        try await Interruptible.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                // While the farm starts and takes in the media: what is wrong with the edit is said as soon as it is
                // known here.
                group.addTask {
                    let compiled = try await file.checkCompiling(by: probe, options: options)
                    if !json, let hint = compiled?.matchHint { Console.error(hint) }
                }
                group.addTask {
                    try await farm.run { connection in
                        let delivery = AssetDelivery(
                            connection: connection,
                            ledger: AssetLedger(stateFolder: stateFolder),
                            sharesHost: true
                        )
                        let submitter = EditSubmitter(connection: connection, delivery: delivery, fonts: fonts)
                        let watcher = JobWatcher(
                            connection: connection,
                            display: display,
                            fullDiskAdvice: "Free some space in \(stateFolder), or give another --state folder."
                        )
                        var jobs: [EditSubmitter.Submitted] = []
                        try await submitter.submit(file, outputs: planned, options: options) { jobs.append($0) }
                        for submitted in jobs {
                            let job = try await watcher.deliver(submitted.job.id, to: submitted.output.file)
                            let taken = job.takenWords.map { " (\($0))" } ?? ""
                            if let path = submitted.output.file?.path { Console.error("Rendered \(path)\(taken)") }
                        }
                    }
                }
                // The first error ends the other task, and with it the farm.
                while try await group.next() != nil {}
            }
        }
    }
}
