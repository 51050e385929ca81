import ArgumentParser
import Client
import Foundation
import WireProtocol

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Keep a coordinator's address and your token, so that other commands need neither.",
        discussion: """
            Asks for the token without showing it, or reads it from standard input, and tries it. Both are kept in \
            $XDG_CONFIG_HOME/cutfarm/credentials, which only you may read. Options and environment variables go first.

              cutfarm login https://farm.example:7411
              cutfarm login farm.example < my-token     takes https and port 7411
            """
    )

    @Argument(help: ArgumentHelp("Address of the coordinator.", valueName: "url"))
    var named: String = FarmOptions.environment("CUTFARM_COORDINATOR") ?? FarmOptions.nearest

    @Flag(help: "Send the token in clear to a host that is not this one, now and later.")
    var insecureToken = false

    func run() async throws {
        let address = CoordinatorAddress(named, allowsClear: insecureToken)
        let coordinator = address.url
        // An address that cannot be used is said before anybody writes a token.
        _ = try CoordinatorConnection(baseURL: coordinator, token: "", allowInsecureToken: insecureToken)
        if let note = address.note { Console.error(note) }
        let token = try SecretInput.read(prompt: "Token for \(coordinator): ")
        guard !token.isEmpty else {
            throw CommandFailure(.usage, "No token was given; the coordinator's token file has one for each owner.")
        }
        let connection = try CoordinatorConnection(
            baseURL: coordinator,
            token: token,
            allowInsecureToken: insecureToken
        )
        let who: SignedIn
        do throws(ClientError) {
            who = try await connection.signedIn()
        } catch .problem(let problem) where problem.status == 401 {
            throw CommandFailure(
                .notAllowed,
                "The coordinator at \(coordinator) does not know this token; nothing is kept."
            )
        } catch {
            throw error
        }
        guard who.scopes.contains(where: { ["view", "submit", "admin"].contains($0) }) else {
            throw CommandFailure(
                .notAllowed,
                "This token is a worker's: it may neither look at jobs nor submit any; nothing is kept. "
                    + "`cutfarm worker` takes it by --token-file."
            )
        }
        let kept = Credentials(
            coordinator: connection.baseURL,
            token: token,
            allowsInsecureToken: insecureToken
        )
        try kept.save()
        let scopes = who.scopes.joined(separator: ", ")
        Console.print("Signed in to \(connection.baseURL) as \(who.owner) (\(scopes)); kept in \(Credentials.path()).")
    }
}

struct LogoutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the address and the token that `cutfarm login` keeps."
    )

    func run() {
        let path = Credentials.path()
        Console.print(Credentials.remove(path) ? "Removed \(path)." : "Nobody was signed in: there is no \(path).")
    }
}
