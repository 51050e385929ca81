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
        let kinds = ["jobs": "job_", "workers": "wrk_", "attempts": "att_"]
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

    /// The scopes of the tokens of ``RunningCoordinator``; nil for a token that nobody has, and for none.
    private static let tokens: [(name: String?, scopes: Set<Scope>?)] = [
        (nil, nil), ("no-such-token-000000", nil), ("viewer", [.view]), ("editor", [.submit]), ("worker", [.worker]),
        ("admin", [.admin]),
    ]

    @Test func everyRouteAsksForItsScopes() async throws {
        try await withCoordinator { farm in
            for route in try RegisteredRoutes.ofTheAPI() where !route.scopes.isEmpty {
                let method = route.method.rawValue
                for (name, scopes) in Self.tokens {
                    let body = method == "POST" ? "{}" : nil
                    let answer = try await farm.call(method, address(route), as: name, body: body)
                    let what = "\(method) \(route.path) with \(name ?? "no token"): \(answer.status)"
                    guard let scopes else {
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
