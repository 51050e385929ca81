import ArgumentParser
import Client
import EditLanguage
import Foundation
import Ingest
import Sandbox
import Storage
import Synchronization
import WireProtocol

struct WatchFolderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-folder",
        abstract: "Submit every media file that appears in a folder.",
        discussion: """
              cutfarm watch-folder incoming --preset h264 --to exports/{name}.mp4
              cutfarm watch-folder incoming --edit brand.json --as clip --to exports/
              cutfarm watch-folder incoming --preset h264 --to exports/ --done old

            Runs until it is stopped. A file is complete when it has not changed for --settle by the clock of this \
            command, whatever its own times are; one that was renamed into place is complete when it has not changed \
            for one --interval. Hidden files, links, folders and names such as a.mov.part are passed over. \
            The folder is looked at every --interval, so that it may lie on another machine. What became of a file is \
            written beside it, as a.mov.cutfarm.txt; with --done and --failed both are moved there. One that is \
            refused stops no other. A file that was submitted is not submitted again, also when this command was killed or its \
            state is lost; one whose bytes have changed is.
            """
    )

    @Argument(help: "The folder.")
    var folder: String

    @OptionGroup var outputs: OutputOptions
    @OptionGroup var farm: FarmOptions

    @Option(help: ArgumentHelp("An edit in which each file takes the place of an asset.", valueName: "path"))
    var edit: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("With --edit: that asset.", valueName: "name"))
    var slot: String?

    @Option(
        help: ArgumentHelp(
            "Where the coordinator puts the movies, such as exports/{name}.{ext}; also {preset} and {date}.",
            valueName: "target"
        )
    )
    var to: String?

    @Flag(help: "With --to: replace files that are there.")
    var replace = false

    @Option(parsing: .unconditional, help: "Jobs with a higher number go first.")
    var priority = 0

    @OptionGroup(title: "When") var when: JobTermsOptions

    @Option(help: ArgumentHelp("The time without a change after which a file is complete.", valueName: "seconds"))
    var settle = "10s"

    @Option(help: ArgumentHelp("The time between two looks at the folder.", valueName: "seconds"))
    var interval = "2s"

    @Option(help: ArgumentHelp("Folder of the same file system for files whose jobs are done.", valueName: "folder"))
    var done: String?

    @Option(help: ArgumentHelp("Folder of the same file system for files that failed.", valueName: "folder"))
    var failed: String?

    @Flag(help: "End when everything that is there is done.")
    var once = false

    @Option(help: ArgumentHelp("A value for one of the edit's params; it may hold {name}.", valueName: "name=value"))
    var param: [String] = []

    @Option(help: ArgumentHelp("Folder where is remembered what was submitted.", valueName: "folder"))
    var state: String?

    func validate() throws {
        guard (edit == nil) == (slot == nil) else {
            throw ValidationError("--edit and --as belong together: a template, and its asset that is replaced.")
        }
        guard edit != nil || outputs.preset != nil else {
            throw ValidationError("Say what is made of the files: --preset NAME, or --edit FILE --as ASSET.")
        }
        for (name, text) in [("--settle", settle), ("--interval", interval)] where Self.milliseconds(text) == nil {
            throw ValidationError("\(name) takes a time from 100ms to 1h, such as 10s.")
        }
    }

    func run() async throws {
        let path = StateFolder.absolute(folder)
        for (name, folder) in [("folder", path), ("--done", done), ("--failed", failed)] {
            guard let folder, !PlannedOutput.isExistingFolder(StateFolder.absolute(folder)) else { continue }
            throw CommandFailure(.usage, "\(name): \(folder) is no folder; make it first.")
        }
        if let edit { _ = try TemplateFile(edit, asset: slot ?? "") }
        if let finding = outputs.preset.flatMap(EditCompiler.finding(ofPreset:)) {
            throw CommandFailure(.usage, findings: [finding], of: "--preset")
        }
        if let to { _ = try TargetNames(to: to, replaces: replace, title: "a") }
        let connection = try farm.connect()
        let stateFolder = try StateFolder.path(state)
        let place = LedgerPlace(stateFolder: stateFolder, folder: path, settings: settings(connection.baseURL))
        let lock = try place.lock()
        defer { withExtendedLifetime(lock) {} }
        let ledger = WatchLedger(at: place)
        let delivery = AssetDelivery(
            connection: connection,
            ledger: AssetLedger(stateFolder: stateFolder),
            sharesHost: false
        )
        let probe = LocalProbe(process: RenderProcess(), stateFolder: stateFolder)
        let watched = WatchedFolder(
            look: FolderLook(folder: path),
            connection: connection,
            submit: { try await submit($0, round: $1, in: path, delivery, probe) },
            contents: { [ledger = delivery.ledger] in try? await ledger.digest(of: path + "/" + $0.name) },
            done: done.map(StateFolder.absolute),
            failed: failed.map(StateFolder.absolute),
            interval: .milliseconds(Self.milliseconds(interval) ?? 2000),
            once: once
        )
        let settled = SettledFiles(settleMilliseconds: Self.milliseconds(settle) ?? 10_000)
        try await Interruptible.run { try await watched.run(ledger, settled) }
    }

    /// The settings by which one ledger of a folder differs from another: the coordinator, and the options that decide
    /// what is made of the files. Priorities and times of work are not among them.
    private func settings(_ coordinator: String) -> [String] {
        let places = [coordinator, outputs.preset, outputs.match, edit.map(StateFolder.absolute), slot, to]
        return places.map { $0 ?? "" } + ["\(outputs.smart)"] + outputs.range + [""] + param
    }

    /// Submits one file; the same in the same round gives the same jobs.
    private func submit(
        _ file: FoundFile,
        round: Int,
        in folder: String,
        _ delivery: AssetDelivery,
        _ probe: LocalProbe
    ) async throws -> [JobView] {
        let path = folder + "/" + file.name
        var entry = ManifestEntry(edit: edit ?? path, title: file.name)
        entry.isMedia = edit == nil
        // The same file has the same key on another day too.
        entry.day = Date(timeIntervalSince1970: Double(file.modifiedNanoseconds / 1_000_000_000))
        if let slot { entry.assets = ["\(slot)=\(path)"] }
        let jobs = Mutex<[JobView]>([])
        var batch = BatchSubmission(
            connection: delivery.connection,
            delivery: delivery,
            probe: probe,
            options: outputs,
            replacements: [],
            parameters: param.map { $0.replacing("{name}", with: file.name.withoutExtension) },
            defaults: .init(
                priority: priority,
                terms: when.terms,
                to: to,
                replaces: replace,
                isForced: false,
                isRepeatable: true,
                watches: false
            ),
            display: ProgressDisplay(json: false, quiet: true),
            json: false
        )
        batch.rowPrefix = round == 0 ? "watched \(path) " : "watched again \(round) \(path) "
        batch.onSubmitted = { job in jobs.withLock { $0.append(job) } }
        try await batch.run([.entry(entry, place: path)])
        return jobs.withLock(\.self)
    }

    /// Reads a time as `500ms`, `10s`, `2m` or `1h`.
    static func milliseconds(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /(\d{1,7})(ms|s|m|h)?/), let count = Int64(match.1) else { return nil }
        let unit: Int64 =
            switch match.2 {
            case "ms": 1
            case "m": 60_000
            case "h": 3_600_000
            default: 1000
            }
        let milliseconds = count * unit
        return (100...3_600_000).contains(milliseconds) ? milliseconds : nil
    }
}

/// An edit in which files take the place of an asset.
private struct TemplateFile {
    /// Reads it once at the start, so that what is wrong with it is not said of every file.
    /// - Throws: ``CommandFailure`` when it cannot be read, or has no such asset.
    init(_ path: String, asset: String) throws {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(.usage, "\(path) cannot be read; is the path right?")
        }
        // Its other assets are checked with the first file.
        guard let file = try? EditFile.load(path, assets: []) else { return }
        guard file.assets[asset] == nil, file.nested[asset] == nil else { return }
        let names = file.assets.keys.sorted().joined(separator: ", ")
        throw CommandFailure(.usage, "\(path) has no asset “\(asset)”; it has \(names).")
    }
}
