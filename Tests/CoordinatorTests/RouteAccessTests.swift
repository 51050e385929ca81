import Farm
import Foundation
import HTTPTypes
import Testing
import WireProtocol

@testable import Coordinator

/// Every route against every kind of token, and against methods that no route has.
@Suite struct RouteAccessTests {
    private static let id = "00000000-0000-7000-8000-000000000000"

    /// An address of a route, of things that are not there. An event stream would not end: it is asked for wrongly.
    private func address(_ route: RouteTable.Route) -> String {
        let kinds = [
            "jobs": "job_", "workers": "wrk_", "attempts": "att_", "tokens": "tok_", "webhooks": "hook_",
            "probes": "probe_",
        ]
        let words = route.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let path = words.enumerated().map { index, word in
            switch word {
            case "{id}": (kinds[words[index - 1]] ?? "") + Self.id
            case "{task}": "task_" + Self.id
            case "{sha256}": String(repeating: "ab", count: 32)
            default: word.hasPrefix("{") ? "0" : word
            }
        }.joined(separator: "/")
        return path == "/v1/events" ? path + "?after=x" : path
    }

    /// One kind of token.
    private struct Kind {
        let name: String
        /// Of whom, by scope, or the token itself; nil sends none.
        let token: String?
        /// Nil for a token that nobody knows, or no longer.
        let scopes: Set<Scope>?
        /// Those of a session of the dashboard.
        var headers: [String] = []
    }

    /// Those of the token file of ``RunningCoordinator``, and those that nobody has.
    private static let kinds = [
        Kind(name: "no token", token: nil, scopes: nil),
        Kind(name: "an unknown token", token: "no-such-token-000000", scopes: nil),
        Kind(name: "an unknown secret", token: KnownTokens.draw(), scopes: nil),
        Kind(name: "viewer", token: "viewer", scopes: [.view]),
        Kind(name: "editor", token: "editor", scopes: [.submit]),
        Kind(name: "worker", token: "worker", scopes: [.worker]), Kind(name: "admin", token: "admin", scopes: [.admin]),
    ]

    private func made(_ farm: RunningCoordinator, _ scopes: [Scope]) async throws -> TokenMade {
        let order = TokenOrder(name: "walker", owner: "anna", scopes: scopes.map(\.rawValue), validSeconds: 86_400)
        return try await farm.post("/v1/tokens", order, as: "admin").decode(TokenMade.self)
    }

    /// Tokens that were made by command: valid ones of each scope and of two, a rotated, a revoked, an expired one.
    private func madeKinds(_ farm: RunningCoordinator, _ store: PostgresFarmStore) async throws -> [Kind] {
        var kinds: [Kind] = []
        for scopes in Scope.allCases.map({ [$0] }) + [[.view, .worker]] {
            let name = "made for \(scopes.map(\.rawValue))"
            kinds.append(Kind(name: name, token: try await made(farm, scopes).secret, scopes: Set(scopes)))
        }
        let revoked = try await made(farm, [.admin])
        #expect(try await farm.call("POST", "/v1/tokens/\(revoked.token.id)/revoke").status == 200)
        kinds.append(Kind(name: "revoked", token: revoked.secret, scopes: nil))
        let old = try await made(farm, [.admin])
        let rotation = "/v1/tokens/\(old.token.id)/rotate"
        let overlapping = try await farm.post(rotation, TokenRotation(overlapSeconds: 3600), as: "admin")
        kinds.append(Kind(name: "replaced, in the overlap", token: old.secret, scopes: [.admin]))
        kinds.append(Kind(name: "rotated", token: try overlapping.decode(TokenMade.self).secret, scopes: [.admin]))
        let replaced = try await made(farm, [.admin])
        let order = TokenRotation(overlapSeconds: 0)
        _ = try await farm.post("/v1/tokens/\(replaced.token.id)/rotate", order, as: "admin")
        kinds.append(Kind(name: "replaced, after the overlap", token: replaced.secret, scopes: nil))
        let secret = KnownTokens.draw()
        let past = DrawnToken(name: "past", owner: "anna", scopes: [.admin], digest: secret.sha256, milliseconds: 0)
        _ = try await store.createToken(past, by: Principal(owner: "boss", scopes: [.admin]))
        kinds.append(Kind(name: "expired", token: secret, scopes: nil))
        return kinds
    }

    /// A session that began with a token, with what its requests carry.
    private func session(
        _ farm: RunningCoordinator,
        _ name: String,
        _ secret: String,
        _ scopes: Set<Scope>?
    ) async throws
        -> Kind
    {
        struct Begun: Decodable { var csrf: String }
        let body = #"{"token": "\#(farm.secret(secret))"}"#
        let answer = try await farm.call("POST", "/v1/session", as: nil, body: body)
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first)
        let headers = ["Cookie: \(cookie)", "X-CSRF-Token: \(try answer.decode(Begun.self).csrf)"]
        return Kind(name: "a session of \(name)", token: nil, scopes: scopes, headers: headers)
    }

    /// Sessions of tokens of the file, of a made one, of one that was revoked since, and one that was signed out.
    private func sessionKinds(_ farm: RunningCoordinator) async throws -> [Kind] {
        var kinds = [
            try await session(farm, "viewer", "viewer", [.view]),
            try await session(farm, "editor", "editor", [.submit]),
            try await session(farm, "admin", "admin", [.admin]),
        ]
        let made = try await made(farm, [.submit])
        kinds.append(try await session(farm, "a made token", made.secret, [.submit]))
        let revoked = try await self.made(farm, [.admin])
        kinds.append(try await session(farm, "a revoked token", revoked.secret, nil))
        _ = try await farm.call("POST", "/v1/tokens/\(revoked.token.id)/revoke")
        let left = try await session(farm, "somebody who signed out", "admin", nil)
        #expect(try await farm.call("DELETE", "/v1/session", as: nil, headers: left.headers).status == 204)
        return kinds + [left]
    }

    /// What changes a job is refused to whoever may submit and is not its owner, before anything else is looked at.
    @Test func jobsAreChangedByTheirOwnersAlone() async throws {
        try await withCoordinator { farm in
            let job = try farm.store.insertJob(FarmPieces.job(owner: "editor")).job.id
            let changing = try RegisteredRoutes.ofTheAPI().filter {
                $0.path.hasPrefix("/v1/jobs/{id}") && ![.get, .head].contains($0.method) && $0.scopes.contains(.submit)
            }
            #expect(changing.count >= 5, "\(changing.map(\.path))")
            for route in changing {
                let path = address(route).replacing("job_" + Self.id, with: "\(job)")
                let answer = try await farm.call(route.method.rawValue, path, as: "other", body: #"{"priority": 1}"#)
                #expect(answer.status == 403, "\(route.method) \(route.path): \(answer.status) \(answer.text)")
            }
            #expect(try farm.store.job(job)?.state == .queued)
        }
    }

    @Test func everyRouteAsksForItsScopes() async throws {
        let store = try await StoreDatabase.store()
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            let kinds = try await Self.kinds + madeKinds(farm, store) + sessionKinds(farm)
            for route in try RegisteredRoutes.ofTheAPI() where !route.scopes.isEmpty {
                let method = route.method.rawValue
                for kind in kinds {
                    let body = method == "POST" ? "{}" : nil
                    let answer = try await farm.call(
                        method,
                        address(route),
                        as: kind.token,
                        body: body,
                        headers: kind.headers
                    )
                    let what = "\(method) \(route.path) with \(kind.name): \(answer.status)"
                    guard let scopes = kind.scopes else {
                        #expect(answer.status == 401, "\(what)")
                        continue
                    }
                    let mayPass = scopes.contains { !$0.implied.isDisjoint(with: route.scopes) }
                    let isRefused = answer.status == 403 && (method == "HEAD" || answer.code == "forbidden")
                    #expect(isRefused == !mayPass && answer.status != 401, "\(what)")
                }
            }
        }
    }

    @Test func otherMethodsAreRefused() async throws {
        try await withCoordinator { farm in
            for path in ["/healthz", "/v1/jobs", "/v1/assets:known"] {
                for method in ["OPTIONS", "TRACE", "PATCH"] {
                    let answer = try await farm.call(method, path)
                    #expect(answer.status == 405 && answer.code == "method_not_allowed", "\(method) \(path)")
                    #expect(answer.headers["allow"]?.isEmpty == false, "\(method) \(path)")
                }
            }
        }
    }

    /// A malformed instant is the sender's mistake, named with its place.
    @Test func aMalformedInstantIsRefused() async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            let body = #"{"worker": "\#(worker)", "lines": [{"at": "yesterday", "text": "said"}]}"#
            let answer = try await farm.call("POST", "/v1/attempts/att_\(Self.id)/log", as: "worker", body: body)
            let detail = try answer.decode(Problem.self).detail
            #expect(answer.status == 400 && detail.contains("lines") && detail.contains("“yesterday”"), "\(detail)")
        }
    }
}
