import Farm
import Foundation
import PostgreSQL
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Tokens that are made, listed, rotated and revoked while a coordinator runs.
@Suite struct TokenTests {
    private static let boss = Principal(owner: "boss", scopes: [.admin])

    private func withFarm(
        _ body: (RunningCoordinator, PostgresFarmStore) async throws -> Void
    ) async throws {
        let store = try await StoreDatabase.store()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            try await body(farm, store)
        }
    }

    private func made(_ farm: RunningCoordinator, _ scopes: [String], seconds: Int64? = nil) async throws -> TokenMade {
        let order = TokenOrder(name: "laptop", owner: "anna", scopes: scopes, validSeconds: seconds)
        let answer = try await farm.post("/v1/tokens", order, as: "admin")
        #expect(answer.status == 201)
        return try answer.decode(TokenMade.self)
    }

    private func drawn(_ secret: String, _ scopes: Set<Scope> = [.view], milliseconds: Int64? = nil) -> DrawnToken {
        DrawnToken(name: "laptop", owner: "anna", scopes: scopes, digest: secret.sha256, milliseconds: milliseconds)
    }

    @Test func aSecretIsShownOnceAndKeptAsADigest() async throws {
        try await withFarm { farm, store in
            let made = try await made(farm, ["view", "submit"], seconds: 86_400)
            #expect(
                made.secret.hasPrefix(KnownTokens.prefix) && made.secret.utf8.count == KnownTokens.prefix.count + 64
            )
            #expect(made.token.scopes == ["submit", "view"] && made.token.createdBy == "boss" && made.token.isValid)
            let listed = try await farm.call("GET", "/v1/tokens")
            #expect(try listed.decode([TokenView].self) == [made.token] && !listed.text.contains(made.secret))
            let log = try await farm.call("GET", "/v1/tokens:log")
            #expect(!log.text.contains(made.secret))
            let rows = try await store.transact { connection, _ in
                try connection.query("SELECT token_secret::text AS row FROM token_secret")[0].get(
                    "row",
                    as: String.self
                )
            }
            #expect(!rows.contains(made.secret) && rows.contains(made.secret.sha256.hex))
            #expect(try await farm.call("GET", "/v1/jobs", as: made.secret).status == 200)
            #expect(try await farm.call("GET", "/v1/tokens", as: made.secret).status == 403)
        }
    }

    /// The database's clock decides; what was known a moment ago counts for two seconds.
    @Test func aTokenExpires() async throws {
        let (store, clock, secret) = (try await StoreDatabase.store(), TestClock(), KnownTokens.draw())
        let known = KnownTokens(book: try TokenBook(text: RunningCoordinator.tokens), store: store, clock: clock)
        store.setClock(FarmTime(milliseconds: 1_000_000))
        let made = try await store.createToken(drawn(secret, milliseconds: 5000), by: Self.boss)
        #expect(made.isValid && made.expires == FarmTime(milliseconds: 1_005_000).date)
        store.setClock(FarmTime(milliseconds: 1_004_999))
        let valid = try await known.present(secret, from: "10.0.0.1")
        guard case .valid(let anna) = valid else { throw Unforeseen() }
        #expect(anna.owner == "anna" && anna.scopes == [.view] && anna.credential?.token == made.id)
        #expect(try await known.isValid(anna))
        store.setClock(FarmTime(milliseconds: 1_005_000))
        #expect(try await known.present(secret, from: "10.0.0.1") == valid)
        clock.advance(by: KnownTokens.validFor)
        let sentence = "The token “laptop” expired at 1970-01-01T00:16:45Z; ask whoever runs the farm for another."
        #expect(try await known.present(secret, from: "10.0.0.1") == .over(sentence))
        #expect(try await !known.isValid(anna))
        #expect(try await store.rotateToken(made.id, to: "x".sha256, overlapMilliseconds: 0, by: Self.boss) == nil)
    }

    /// For the overlap both secrets are valid; then the new one alone. A second rotation moves no end to later.
    @Test func aRotatedTokenHasTwoSecretsForAWhile() async throws {
        let store = try await StoreDatabase.store()
        func open(_ secrets: String...) async throws -> [String] {
            var open: [String] = []
            for secret in secrets {
                if case .valid = try await store.presentToken(secret.sha256, from: "") { open.append(secret) }
            }
            return open
        }
        store.setClock(FarmTime(milliseconds: 1_000_000))
        let made = try await store.createToken(drawn("1", [.submit, .view]), by: Self.boss)
        func rotate(to secret: String, _ overlap: Int64) async throws -> TokenView? {
            try await store.rotateToken(made.id, to: secret.sha256, overlapMilliseconds: overlap, by: Self.boss)
        }
        let rotated = try #require(try await rotate(to: "2", 5000))
        #expect(rotated.id == made.id && rotated.scopes == made.scopes)
        #expect(rotated.overlapEnds == FarmTime(milliseconds: 1_005_000).date)
        store.setClock(FarmTime(milliseconds: 1_004_999))
        #expect(try await open("1", "2") == ["1", "2"])
        _ = try await rotate(to: "3", 60_000)
        store.setClock(FarmTime(milliseconds: 1_005_000))
        #expect(try await open("1", "2", "3") == ["2", "3"])
        store.setClock(FarmTime(milliseconds: 1_064_999))
        #expect(try await open("2", "3") == ["3"])
        #expect(try await store.tokens().map(\.overlapEnds) == [nil])
    }

    @Test func revokingEndsSessionsToo() async throws {
        try await withFarm { farm, _ in
            let made = try await made(farm, ["view"])
            let body = #"{"token": "\#(made.secret)"}"#
            let signedIn = try await farm.call("POST", "/v1/session", as: nil, body: body)
            #expect(signedIn.status == 201)
            let cookie = "Cookie: \(try #require(signedIn.headers["set-cookie"]?.split(separator: ";").first))"
            #expect(try await farm.call("GET", "/v1/jobs", as: nil, headers: [cookie]).status == 200)
            let revoked = try await farm.call("POST", "/v1/tokens/\(made.token.id)/revoke").decode(TokenView.self)
            #expect(revoked.revoked != nil && !revoked.isValid)
            #expect(try await farm.call("GET", "/v1/jobs", as: nil, headers: [cookie]).status == 401)
            let refused = try await farm.call("GET", "/v1/jobs", as: made.secret)
            #expect(refused.status == 401 && refused.code == "token_over" && refused.text.contains("was revoked at"))
            #expect(try await farm.call("POST", "/v1/session", as: nil, body: body).status == 401)
            let again = try await farm.call("POST", "/v1/tokens/\(made.token.id)/revoke").decode(TokenView.self)
            #expect(again == revoked)
        }
    }

    /// An open stream, and a poll that waits for work, end with their token.
    @Test func revokingEndsStreamsAndPolls() async throws {
        try await withFarm { farm, _ in
            let (made, id) = (try await made(farm, ["view", "worker"]), try await farm.registerWorker())
            let port = farm.port
            let (open, hasOpened) = AsyncStream.makeStream(of: Void.self)
            async let heard = onThread {
                let connection = try RawConnection(port: port)
                let head = "Host: h\r\nAuthorization: Bearer \(made.secret)\r\n\r\n"
                connection.send("GET /v1/events HTTP/1.1\r\n" + head)
                let first = connection.receive(until: "retry: 2000")
                hasOpened.yield()
                return first + connection.receive(until: "\r\n0\r\n\r\n")
            }
            let poll = LeasePoll(
                worker: id,
                poll: PollID(uuid: UUID()),
                kinds: [.picture],
                capacity: 1,
                waitMilliseconds: 30_000
            )
            async let grants = farm.post("/v1/leases:poll", poll, as: made.secret)
            for await _ in open { break }
            #expect(try await farm.call("POST", "/v1/tokens/\(made.token.id)/revoke").status == 200)
            #expect(try await heard.hasSuffix("\r\n0\r\n\r\n"), "the stream ends as it should")
            let answer = try await grants
            let given = answer.status == 401 ? [] : try answer.decode(LeaseGrants.self).grants
            #expect(given.isEmpty)
        }
    }

    @Test func theLogSaysWhoDidWhat() async throws {
        let store = try await StoreDatabase.store()
        let day: Int64 = 86_400_000
        store.setClock(FarmTime(milliseconds: 10 * day))
        let eve = Principal(owner: "eve", scopes: [.admin])
        let made = try await store.createToken(drawn("1"), by: eve)
        for address in ["10.0.0.1", "10.0.0.1", "10.0.0.2"] {
            _ = try await store.presentToken("1".sha256, from: address)
        }
        store.setClock(FarmTime(milliseconds: 11 * day))
        _ = try await store.presentToken("1".sha256, from: "10.0.0.1")
        _ = try await store.rotateToken(made.id, to: "2".sha256, overlapMilliseconds: 0, by: Self.boss)
        guard case .valid(let anna) = try await store.presentToken("2".sha256, from: "10.0.0.1") else {
            throw Unforeseen()
        }
        _ = try await store.revokeToken(made.id, by: anna)
        _ = try await store.presentToken("2".sha256, from: "10.0.0.9")
        let log = try await store.tokenLog(of: made.id, limit: 10)
        #expect(log.map(\.action) == [.refused, .revoked, .rotated, .used, .used, .used, .created])
        #expect(log.map(\.who) == ["anna", "anna", "boss", "anna", "anna", "anna", "eve"])
        #expect(log.map(\.address) == ["10.0.0.9", nil, nil, "10.0.0.1", "10.0.0.2", "10.0.0.1", nil])
        #expect(log[1].withToken == made.id && log[2].withToken == nil && log.allSatisfy { $0.name == "laptop" })
        #expect(try await store.tokenLog(of: nil, limit: 2).count == 2)
        #expect(try await store.tokenLog(of: TokenID(uuid: UUID()), limit: 2).isEmpty)
        #expect(try await store.tokens().first?.lastUsed == FarmTime(milliseconds: 11 * day).date)
    }

    @Test func wrongOrdersAreRefused() async throws {
        try await withFarm { farm, _ in
            for order in [
                TokenOrder(name: "", owner: "anna", scopes: ["view"]),
                TokenOrder(name: "a", owner: "", scopes: ["view"]),
                TokenOrder(name: "a\u{1b}", owner: "anna", scopes: ["view"]),
                TokenOrder(name: "a", owner: "a b", scopes: ["view"]),
                TokenOrder(name: "a", owner: String(repeating: "a", count: 101), scopes: ["view"]),
                TokenOrder(name: "a", owner: "anna", scopes: []),
                TokenOrder(name: "a", owner: "anna", scopes: ["view", "root"]),
                TokenOrder(name: "a", owner: "anna", scopes: ["view"], validSeconds: 0),
                TokenOrder(name: "a", owner: "anna", scopes: ["view"], validSeconds: .max),
            ] { #expect(try await farm.post("/v1/tokens", order, as: "admin").code == "invalid_request", "\(order)") }
            let unknown = "/v1/tokens/\(TokenID(uuid: UUID()))"
            #expect(try await farm.call("POST", unknown + "/revoke").code == "not_found")
            let none = try await farm.post(unknown + "/rotate", TokenRotation(overlapSeconds: 0), as: "admin")
            #expect(none.code == "not_possible")
            let wrong = try await farm.post(unknown + "/rotate", TokenRotation(overlapSeconds: -1), as: "admin")
            #expect(wrong.code == "invalid_request")
            #expect(try await farm.call("GET", "/v1/tokens").text == "[]")
        }
    }

    /// A farm in memory, as of `cutfarm render`, has the tokens of its start alone.
    @Test func aFarmWithoutADatabaseKeepsNone() async throws {
        try await withCoordinator { farm in
            let answer = try await farm.call("GET", "/v1/tokens")
            #expect(answer.code == "not_possible")
        }
    }
}

private struct Unforeseen: Error {}
