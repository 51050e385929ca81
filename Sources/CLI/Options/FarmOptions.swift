import ArgumentParser
import Client
import Foundation
import Storage

/// The farm that a command talks to, and the token that it presents.
struct FarmOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address of the coordinator.", valueName: "url"))
    var coordinator = FarmOptions.environment("CUTFARM_COORDINATOR") ?? "http://127.0.0.1:7411"

    @Option(help: ArgumentHelp("File that holds the token; else CUTFARM_TOKEN.", valueName: "path"))
    var tokenFile: String?

    @Flag(help: "Send the token in clear to a host that is not this one.")
    var insecureToken = false

    /// A connection; nothing is sent yet.
    /// - Throws: ``CommandFailure`` when there is no token; `ClientError` for an address that cannot be used.
    func connect() throws -> CoordinatorConnection {
        try CoordinatorConnection(baseURL: coordinator, token: token(), allowInsecureToken: insecureToken)
    }

    /// The token of the file or of the environment.
    private func token() throws -> String {
        if let tokenFile {
            guard let text = Data(readingToEnd: tokenFile).map({ String(decoding: $0, as: UTF8.self) }) else {
                throw CommandFailure(.usage, "The token file \(tokenFile) cannot be read.")
            }
            let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !token.isEmpty else { throw CommandFailure(.usage, "The token file \(tokenFile) is empty.") }
            guard !token.contains(where: \.isNewline) else {
                let what = "has several lines; a client's token file holds one token and nothing else"
                throw CommandFailure(.usage, "The token file \(tokenFile) \(what).")
            }
            return token
        }
        guard let token = FarmOptions.environment("CUTFARM_TOKEN") else {
            throw CommandFailure(
                .notAllowed,
                "A token is needed to speak to \(coordinator); give --token-file, or set CUTFARM_TOKEN."
            )
        }
        return token
    }

    /// The value of an environment variable; nil when it is empty.
    static func environment(_ name: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { return nil }
        return value
    }
}
