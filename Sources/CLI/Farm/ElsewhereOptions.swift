import ArgumentParser
import Client
import Sandbox

/// The farm that works in place of this machine, when one is named.
struct ElsewhereOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Let this farm do it.", valueName: "url"))
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
    func stills(_ pictures: LocalPictures, _ local: LocalMediaOptions) throws -> FarmStills? {
        try submitter(local).map { FarmStills(connection: $0.connection, submitter: $0, pictures: pictures) }
    }

    /// - Returns: nil when no farm is named.
    func measures(_ pictures: LocalPictures, _ local: LocalMediaOptions) throws -> FarmMeasures? {
        try submitter(local).map { FarmMeasures(connection: $0.connection, submitter: $0, pictures: pictures) }
    }

    private func submitter(_ local: LocalMediaOptions) throws -> EditSubmitter? {
        guard let coordinator else { return nil }
        var words = ["--coordinator", coordinator]
        if let tokenFile { words += ["--token-file", tokenFile] }
        if insecureToken { words.append("--insecure-token") }
        let connection = try FarmOptions.parse(words).connect()
        let ledger = AssetLedger(stateFolder: StateFolder.place(local.state))
        return EditSubmitter(
            connection: connection,
            delivery: AssetDelivery(connection: connection, ledger: ledger, sharesHost: false),
            fonts: FontFinder(process: RenderProcess(allowUnsandboxed: local.allowUnsandboxed))
        )
    }
}
