import ArgumentParser
import Client
import Foundation
import Ingest
import Sandbox

struct SubmitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "submit",
        abstract: "Send edits to a farm.",
        discussion: """
            Sends the assets that the farm does not have, then the edit. Prints the job's id. An upload that was cut goes \
            on where it was, also in a later run.

              cutfarm submit edit.json
              cutfarm submit edit.json --watch -o movie.mp4
              cutfarm submit --manifest tonight.jsonl --watch
              cutfarm submit edit.json --after 22:00 --until 06:00 --days mon-fri
              cutfarm submit long.json --after-job job_01a2 --deadline 2026-12-01T06:00

            A manifest has one JSON object on each line:

              {"edit": "a.json", "output": "a.mp4", "preset": "h264", "priority": 5}
              {"edit": "b.json", "output": "b.mp4", "smart": true}
              {"edit": "c.json", "match": "camera"}
              {"edit": "title.json", "params": {"name": "Ada"}, "output": "ada.mp4"}
              {"edit": "c.json", "to": "exports/tonight/c.mp4"}
              {"edit": "d.json", "after": "22:00", "until": "06:00", "days": "sat-sun"}

            A manifest whose name ends with .csv is a table with commas (RFC 4180). Its first row names these keys; a \
            column param.NAME holds a value of the edit's params:

              edit,to,priority,param.name
              title.json,exports/ada.mp4,5,Ada

            "to", "replace", "smart", "match", "after", "until", "days", "timeZone", "deadline" and "webhook" mean what \
            the options do, for their line; "afterJobs" is a list of ids, "params" the values of the edit's params. A line that was \
            submitted before, and of which nothing has changed since, gives its job again. Only "edit" is needed, paths \
            are relative to the manifest. Lines are submitted while later ones are read; one that is wrong, or that \
            has the output or the target of an earlier one, is reported and stops no other.
            """
    )

    @Argument(help: "Edits to submit.")
    var edits: [String] = []

    @Option(help: ArgumentHelp("Many edits at once: JSON lines, or a .csv table.", valueName: "path"))
    var manifest: String?

    @Flag(help: "With --manifest: make new jobs also of lines that were submitted before.")
    var again = false

    @Option(name: [.short, .customLong("output")], help: "With --watch: the movie, or a folder that is there.")
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Have the coordinator put the movie into an output folder of its own, such as exports/a.mp4, or exports/tonight/ "
                + "for the usual name there.",
            valueName: "target"
        )
    )
    var to: String?

    @Flag(help: "With --to: replace a file that is there.")
    var replace = false

    @OptionGroup var outputs: OutputOptions
    @OptionGroup var farm: FarmOptions

    @Option(help: ArgumentHelp("The job's title; else the name of the edit's file.", valueName: "text"))
    var title: String?

    @Option(parsing: .unconditional, help: "Jobs with a higher number go first; a negative number goes behind 0.")
    var priority = 0

    @OptionGroup(title: "When") var when: JobTermsOptions

    @Option(help: ArgumentHelp("Files that are sent at a time.", valueName: "n"))
    var uploads = 4

    @Flag(help: "Wait for the jobs, then fetch the movies.")
    var watch = false

    @Flag(help: "Replace outputs that exist.")
    var force = false

    @Option(help: ArgumentHelp("Where an asset's file is, instead of what the edit says.", valueName: "name=path"))
    var asset: [String] = []

    @Option(help: ArgumentHelp("A value for one of the edit's params.", valueName: "name=value"))
    var param: [String] = []

    @Option(help: ArgumentHelp("Folder where digests of files are remembered.", valueName: "folder"))
    var state: String?

    @Flag(help: "Answers as JSON lines on standard output.")
    var json = false

    @Flag(
        name: .shortAndLong,
        help: "Print the jobs' ids and nothing else on standard output: J=$(cutfarm submit -q edit.json)."
    )
    var quiet = false

    func validate() throws {
        guard edits.isEmpty != (manifest == nil) else {
            throw ValidationError("Name the edits to submit, or a --manifest.")
        }
        guard !again || manifest != nil else { throw ValidationError("--again is for a --manifest.") }
        guard (1...32).contains(uploads) else { throw ValidationError("--uploads takes a number from 1 to 32.") }
        guard title == nil || edits.count == 1 else { throw ValidationError("--title is for one edit.") }
        guard title?.isEmpty != true else {
            throw ValidationError("The title is empty; leave --title out for the name of the edit's file.")
        }
        guard (title ?? "").utf8.count <= 500 else { throw ValidationError("A title has 500 bytes at the most.") }
        guard !quiet || !json else { throw ValidationError("--quiet prints ids and --json prints jobs; choose one.") }
        guard watch || output == nil || manifest != nil else { throw ValidationError("-o needs --watch.") }
    }

    func run() async throws {
        let lines =
            try manifest.map(Manifest.read)
            ?? edits.map { .entry(ManifestEntry(edit: $0, output: output, title: title), place: $0) }
        let connection = try farm.connect()
        let stateFolder = StateFolder.place(state)
        let ledger = AssetLedger(stateFolder: stateFolder)
        var delivery = AssetDelivery(connection: connection, ledger: ledger, sharesHost: false)
        delivery.parallelCount = uploads
        let batch = BatchSubmission(
            connection: connection,
            delivery: delivery,
            probe: LocalProbe(process: RenderProcess(), stateFolder: stateFolder),
            options: outputs,
            replacements: asset,
            parameters: param,
            defaults: .init(
                priority: priority,
                terms: when.terms,
                to: to,
                replaces: replace,
                isForced: force,
                isRepeatable: manifest != nil && !again,
                watches: watch
            ),
            display: ProgressDisplay(json: json, quiet: lines.count > 1),
            json: json,
            onlyIDs: quiet
        )
        try await Interruptible.run { try await batch.run(lines) }
    }
}
