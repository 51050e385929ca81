import ArgumentParser
import Client
import Foundation
import WireProtocol

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Make, list, rotate and revoke tokens while the farm runs.",
        discussion: """
            All of it needs a token with the scope admin; the first is one of the coordinator's token file. A secret is \
            printed once, alone on standard output: the farm keeps its digest.

              cutfarm token create render-07 --scopes worker > worker-token
              cutfarm token create anna --scopes submit --days 90 > annas-token
              cutfarm token rotate render-07 --overlap 24h > worker-token
              cutfarm token revoke anna
              cutfarm token log
            """,
        subcommands: [
            TokenListCommand.self, TokenCreateCommand.self, TokenRotateCommand.self, TokenRevokeCommand.self,
            TokenLogCommand.self,
        ],
        defaultSubcommand: TokenListCommand.self
    )
}

struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens that were made by command, the newest first."
    )

    @OptionGroup var options: ListOptions

    func run() async throws {
        try options.print(try await options.farm.connect().tokens()) { TokenTable.text($0) }
    }
}

struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token and print its secret."
    )

    @Argument(help: ArgumentHelp("What people call the token.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("What it may do: view, submit, worker, admin.", valueName: "scope,scope"))
    var scopes: String

    @Option(help: ArgumentHelp("Whose jobs they are that it submits; by default the token's name.", valueName: "owner"))
    var owner: String?

    @Option(help: ArgumentHelp("Days for which it is valid; else until it is revoked.", valueName: "n"))
    var days: Int?

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output, with the secret.")
    var json = false

    func validate() throws {
        guard (1...36_500).contains(days ?? 1) else { throw ValidationError("--days takes a number from 1 to 36500.") }
    }

    func run() async throws {
        let order = TokenOrder(
            name: name,
            owner: owner ?? name,
            scopes: scopes.split(separator: ",").map(String.init),
            validSeconds: days.map { Int64($0) * 86_400 }
        )
        try TokenSecretText.print(try await farm.connect().createToken(order), json: json)
    }
}

struct TokenRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give a token a new secret and print it; the one before stays valid for a while."
    )

    @Argument(help: ArgumentHelp("The token's name or id, or the beginning of its id.", valueName: "token"))
    var token: String

    @Option(
        help: ArgumentHelp(
            "How long the secret before stays valid, such as 30m, 24h or 7d; 0s ends it at once.",
            valueName: "span"
        )
    )
    var overlap = SpanArgument(hours: 24)

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output, with the secret.")
    var json = false

    func run() async throws {
        let connection = try farm.connect()
        let id = try await TokenChoice.one(token, connection)
        let rotation = TokenRotation(overlapSeconds: overlap.seconds)
        try TokenSecretText.print(try await connection.rotate(id, rotation), json: json)
    }
}

struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "End a token with its sessions and streams, within seconds and for good."
    )

    @Argument(help: ArgumentHelp("The token's name or id, or the beginning of its id.", valueName: "token"))
    var token: String

    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let connection = try farm.connect()
        let revoked = try await connection.revoke(try await TokenChoice.one(token, connection))
        Console.print("Revoked \(revoked.id), “\(revoked.name.visible)” of \(revoked.owner.visible).")
    }
}

struct TokenLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Who made, rotated, revoked and used which token, the newest first.",
        discussion: "A use, and the refusal of a token that is over, are noted once for each address and day of UTC."
    )

    @Argument(help: ArgumentHelp("A token's name or id, or the beginning of its id; else all.", valueName: "token"))
    var token: String?

    @Option(help: ArgumentHelp("The most lines, 1 to 1000.", valueName: "n"))
    var limit = 100

    @OptionGroup var options: ListOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit takes a number from 1 to 1000.") }
    }

    func run() async throws {
        let connection = try options.farm.connect()
        var only: TokenID?
        if let token { only = try await TokenChoice.one(token, connection, isValid: false) }
        try options.print(try await connection.tokenLog(of: only, limit: limit)) { TokenTable.text($0) }
    }
}

/// The token that a person means.
private enum TokenChoice {
    /// - Parameter isValid: whether of several with one name the valid one is meant.
    static func one(_ text: String, _ connection: CoordinatorConnection, isValid: Bool = true) async throws -> TokenID {
        if let id = TokenID(text: text) { return id }
        var tokens = try await connection.tokens()
        let named = tokens.filter { $0.name == text }
        if isValid, named.count > 1 { tokens = named.filter(\.isValid) }
        return try NamedThing.one(
            text,
            of: tokens.map { ($0.id, $0.name) },
            kind: "token",
            has: "the name",
            list: "cutfarm token list"
        )
    }
}

private enum TokenSecretText {
    static func print(_ made: TokenMade, json: Bool) throws {
        let token = made.token
        let end = token.expires.map { ", until \($0.formatted(.iso8601))" } ?? ""
        let overlap = token.overlapEnds.map { "; the secret before is valid until \($0.formatted(.iso8601))" } ?? ""
        let scopes = token.scopes.joined(separator: ",")
        let words = "\(token.id), “\(token.name.visible)” of \(token.owner.visible), \(scopes)\(end)\(overlap)."
        try DrawnSecret.print(made, made.secret, words, json: json)
    }
}
