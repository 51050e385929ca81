import ArgumentParser
import Client
import Sandbox

/// The farm that makes stills in place of this machine, when one is named.
struct StillFarmOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Let this farm make them.", valueName: "url"))
    var coordinator: String?

    @Option(help: ArgumentHelp("File that holds the farm's token; else CUTFARM_TOKEN.", valueName: "path"))
    var tokenFile: String?

    @Flag(help: "Send the token in clear to a host that is not this one.")
    var insecureToken = false

    func validate() throws {
        guard coordinator != nil || tokenFile == nil && !insecureToken else {
            throw ValidationError("A token is for a farm: name it with --coordinator.")
        }
    }

    /// - Returns: nil when no farm is named.
    func farm(_ pictures: LocalPictures, _ local: LocalMediaOptions) throws -> FarmStills? {
        guard let coordinator else { return nil }
        var words = ["--coordinator", coordinator]
        if let tokenFile { words += ["--token-file", tokenFile] }
        if insecureToken { words.append("--insecure-token") }
        let connection = try FarmOptions.parse(words).connect()
        let ledger = AssetLedger(stateFolder: StateFolder.place(local.state))
        let submitter = EditSubmitter(
            connection: connection,
            delivery: AssetDelivery(connection: connection, ledger: ledger, sharesHost: false),
            fonts: FontFinder(process: RenderProcess(allowUnsandboxed: local.allowUnsandboxed))
        )
        return FarmStills(connection: connection, submitter: submitter, pictures: pictures)
    }
}
