import Farm
import Foundation
import HTTPTypes
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What another site makes a signed-in browser do. The browser sends the dashboard's cookie along (unless SameSite keeps it
/// back), and an `Origin` that is not the farm's, or none; it does not know the session's token.
@Suite struct ForgeryTests {
    private static let id = "00000000-0000-7000-8000-000000000000"

    /// An address of the pattern of a route.
    private func address(_ pattern: String) -> String {
        let kinds = ["jobs": "job_", "workers": "wrk_", "attempts": "att_"]
        let words = pattern.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return words.enumerated().map { index, word in
            switch word {
            case "{id}": (kinds[words[index - 1]] ?? "") + Self.id
            case "{sha256}": String(repeating: "ab", count: 32)
            default: word.hasPrefix("{") ? "0" : word
            }
        }.joined(separator: "/")
    }

    /// Each route but those that only read refuses a session's cookie without the session's token, and with it from
    /// another site's page, before it looks at anything else.
    @Test func whatChangesSomethingIsNotDoneForAnotherSite() async throws {
        let changing = try RegisteredRoutes.all().map { ($0.method.rawValue, $0.path) }
            .filter { !["GET", "HEAD"].contains($0.0) }
        let known = changing.map { "\($0.0) \($0.1)" }
        for new in [
            "POST /v1/assets", "POST /v1/edits:read", "POST /v1/jobs:plan", "POST /v1/jobs/{id}/retry",
            "POST /v1/jobs/{id}/priority", "POST /v1/workers/{id}/undrain", "POST /v1/attempts/{id}/log",
            "DELETE /v1/session", "PUT /v1/assets/{sha256}",
        ] { #expect(known.contains(new), "\(new)") }
        try await withCoordinator { farm in
            let signedIn = try await farm.call(
                "POST",
                "/v1/session",
                as: nil,
                body: #"{"token": "\#(farm.secret("admin"))"}"#
            )
            let cookie = try #require(signedIn.headers["set-cookie"]?.split(separator: ";").first)
            let session = try JSONDecoder().decode([String: LooseText].self, from: signedIn.body)
            let token = try #require(session["csrf"]?.text)
            let own = "Origin: http://127.0.0.1:\(farm.port)"
            for (method, path) in changing {
                func status(_ headers: [String]) async throws -> (Int, String?) {
                    let answer = try await farm.call(
                        method,
                        address(path),
                        as: nil,
                        body: "{}",
                        headers: ["Cookie: \(cookie)"] + headers
                    )
                    return (answer.status, answer.code)
                }
                for headers in [
                    [], ["Origin: http://evil.example"], [own], ["Origin: null", "X-CSRF-Token: \(token)"],
                    ["Origin: http://evil.example", "X-CSRF-Token: \(token)"], ["X-CSRF-Token: \(token)x"],
                ] {
                    let (status, code) = try await status(headers)
                    #expect(status == 403 && code == "csrf", "\(method) \(path) with \(headers): \(status)")
                }
            }
            // Nobody was signed out meanwhile, and the page itself may do all this.
            let page = ["Cookie: \(cookie)", own, "X-CSRF-Token: \(token)"]
            let undrain = "/v1/workers/wrk_\(Self.id)/undrain"
            #expect(try await farm.call("POST", undrain, as: nil, headers: page).code == "unknown_worker")
        }
    }
}

/// A text, or anything else, of which the text is nil.
private struct LooseText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
}
