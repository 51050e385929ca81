import ArgumentParser
import Client
import Foundation
import Storage

/// The farm that a command talks to, and the token that it presents.
struct FarmOptions: ParsableArguments {
    @Option(
        name: .customLong("coordinator"),
        help: ArgumentHelp(
            "Address of the coordinator; else CUTFARM_COORDINATOR, that of `cutfarm login`, or \(FarmOptions.nearest).",
            valueName: "url"
        )
    )
    var namedCoordinator: String?

    @Option(
        help: ArgumentHelp(
            "File that holds the token; else CUTFARM_TOKEN, or that of `cutfarm login`.",
            valueName: "path"
        )
    )
    var tokenFile: String?

    @Flag(help: "Send the token in clear to a host that is not this one.")
    var insecureToken = false

    /// The coordinator when nobody names one.
    static let nearest = "http://127.0.0.1:7411"

    /// The address of the coordinator.
    /// - Throws: ``CommandFailure`` when what `cutfarm login` kept cannot be used.
    func coordinator() throws -> String {
        try FarmOptions.coordinator(
            named: namedCoordinator,
            hasToken: tokenFile != nil || Self.environment("CUTFARM_TOKEN") != nil,
            allowsClear: insecureToken
        )
    }

    /// The address of the coordinator: the one that is named, else that of the environment or of `cutfarm login`, else
    /// ``nearest``.
    /// - Parameters:
    ///   - hasToken: whether a token is named, or none is needed: then what may not be read is taken for not kept.
    ///   - allowsClear: whether a host that is named without a scheme is asked over http.
    /// - Throws: ``CommandFailure`` when what `cutfarm login` kept cannot be used.
    static func coordinator(named: String?, hasToken: Bool, allowsClear: Bool = false) throws -> String {
        if let named = named ?? environment("CUTFARM_COORDINATOR") {
            return CoordinatorAddress(named, allowsClear: allowsClear).url
        }
        // A service that is given its token may run where the home folder cannot be read; `cutfarm login` kept nothing for it.
        let kept = Credentials.path()
        guard access(kept, R_OK) == 0 || ![EACCES, EPERM].contains(errno) || !hasToken else {
            return FarmOptions.nearest
        }
        return try Credentials.load()?.coordinator ?? FarmOptions.nearest
    }

    /// A connection; nothing is sent yet.
    /// - Throws: ``CommandFailure`` when there is no token; `ClientError` for an address that cannot be used.
    func connect() throws -> CoordinatorConnection {
        let coordinator = try coordinator()
        if let token = try namedToken() {
            return try CoordinatorConnection(baseURL: coordinator, token: token, allowInsecureToken: insecureToken)
        }
        // A token goes only to the coordinator for which it was kept.
        guard let kept = try Credentials.load(), kept.coordinator == coordinator else {
            throw CommandFailure(
                .notAllowed,
                "A token is needed to speak to \(coordinator); run `cutfarm login \(coordinator)`, give --token-file, or "
                    + "set CUTFARM_TOKEN."
            )
        }
        return try CoordinatorConnection(
            baseURL: coordinator,
            token: kept.token,
            allowInsecureToken: insecureToken || kept.allowsInsecureToken
        )
    }

    /// The token of the file or of the environment; nil when neither is named.
    /// - Throws: ``CommandFailure`` for a file that cannot be read or holds anything else.
    func namedToken() throws -> String? {
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
        return FarmOptions.environment("CUTFARM_TOKEN")
    }

    /// The value of an environment variable; nil when it is empty.
    static func environment(_ name: String) -> String? {
        guard let value = ProcessInfo.processInfo.environment[name], !value.isEmpty else { return nil }
        return value
    }
}
