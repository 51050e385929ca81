import ArgumentParser
import Client
import Foundation
import Ingest
import Sandbox

/// The place where frames or measurements are made: processes of this machine, or the named farm.
struct RenderLocationOptions: ParsableArguments {
    @Option(help: "Processes that work at once here; one a core when missing.")
    var workers: Int?

    @Option(help: ArgumentHelp("Let this farm do it.", valueName: "url"))
    var coordinator: String?

    @Option(help: ArgumentHelp("File that holds the farm's token; else CUTFARM_TOKEN.", valueName: "path"))
    var tokenFile: String?

    @Flag(help: "Send the token in clear to a host that is not this one.")
    var insecureToken = false

    @Option(help: "Of the farm's jobs those with a higher number go first; 0 when missing.")
    var priority: Int?

    func validate() throws {
        guard (1...256).contains(workers ?? 1) else { throw ValidationError("--workers takes a number from 1 to 256.") }
        guard coordinator == nil else {
            guard workers == nil else {
                let advice = "leave out --workers, or --coordinator to work here"
                let reason = "--workers counts processes of this machine, and the farm does the work"
                throw ValidationError("\(reason); \(advice).")
            }
            return
        }
        guard tokenFile == nil, !insecureToken else {
            throw ValidationError("A token is for a farm: name it with --coordinator.")
        }
        guard priority == nil else { throw ValidationError("--priority is for a farm: name it with --coordinator.") }
    }

    /// The number of processes that run at once on this machine.
    var processes: Int { workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// The submitter to the named farm.
    /// - Returns: Nil when no farm is named.
    /// - Throws: ``CommandFailure`` when the token cannot be read; `ClientError` for an address that cannot be used.
    func submitter(_ local: LocalMediaOptions) throws -> EditSubmitter? {
        guard let coordinator else { return nil }
        var words = ["--coordinator", coordinator]
        if let tokenFile { words += ["--token-file", tokenFile] }
        if insecureToken { words.append("--insecure-token") }
        let connection = try FarmOptions.parse(words).connect()
        let ledger = AssetLedger(stateFolder: StateFolder.place(local.state))
        return EditSubmitter(
            connection: connection,
            delivery: AssetDelivery(connection: connection, ledger: ledger, sharesHost: false),
            priority: priority ?? 0,
            fonts: FontFinder(process: RenderProcess(allowUnsandboxed: local.allowUnsandboxed))
        )
    }
}
