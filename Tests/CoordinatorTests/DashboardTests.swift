import Coordinator
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@Suite struct DashboardTests {
    @Test func thePageIsStrict() async throws {
        try await withCoordinator { farm in
            for (path, type) in [
                ("/", "text/html"), ("/dashboard.css", "text/css"), ("/dashboard/main.js", "text/javascript"),
            ] {
                let answer = try await farm.call("GET", path, as: nil)
                #expect(answer.status == 200 && answer.headers["content-type"]?.hasPrefix(type) == true)
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(
                    policy.contains("script-src 'self'") && !policy.contains("unsafe")
                        && policy.contains("frame-ancestors 'none'")
                )
                #expect(answer.headers["x-frame-options"] == "DENY")
                #expect(!answer.body.isEmpty)
            }
            let page = try await farm.call("GET", "/", as: nil).text
            #expect(page.ranges(of: "<script").count == 1)
            #expect(page.contains("<script type=\"module\" src=\"/dashboard/main.js\"></script>"))
            #expect(!page.contains("style=") && !page.contains("onclick") && !page.contains("http://"))
            for name in try Self.modules() {
                let script = try await farm.call("GET", "/dashboard/\(name)", as: nil).text
                #expect(script.count > 500, "\(name) is served")
                for hole in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("] {
                    #expect(!script.contains(hole), "names could become markup through \(hole) in \(name)")
                }
                for other in script.matches(of: /from "(.+?)"/).map(\.1) {
                    #expect(other.hasPrefix("./") && other.hasSuffix(".js"), "\(name) imports \(other)")
                    #expect(try await farm.call("HEAD", "/dashboard/\(other.dropFirst(2))", as: nil).status == 200)
                }
            }
        }
    }

    /// The names of the page's modules, as they lie in its folder.
    private static func modules() throws -> [String] {
        let folder = Programs.repository.appendingPathComponent("Sources/Coordinator/Dashboard/Files").path
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".js") }
    }

    @Test func aTokenBecomesASession() async throws {
        try await withCoordinator { farm in
            let wrong = try await farm.call("POST", "/v1/session", as: nil, body: "{\"token\":\"wrong-token-wrong\"}")
            #expect(wrong.status == 401 && wrong.headers["set-cookie"] == nil)
            let body = "{\"token\":\"\(farm.secret("editor"))\"}"
            let answer = try await farm.call("POST", "/v1/session", as: nil, body: body)
            #expect(answer.status == 201)
            let set = try #require(answer.headers["set-cookie"])
            #expect(set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Path=/"))
            #expect(!answer.text.contains(farm.secret("editor")) && !set.contains(farm.secret("editor")))
            let cookie = "Cookie: " + String(set.prefix { $0 != ";" })
            let csrf =
                try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])["csrf"] as? String
                ?? ""
            #expect(try await farm.call("GET", "/v1/jobs", as: nil, headers: [cookie]).status == 200)
            #expect(try await farm.call("GET", "/v1/session", as: nil, headers: [cookie]).text == answer.text)
            #expect(try await farm.call("GET", "/v1/session", as: nil).status == 401)

            let job = try farm.store.insertJob(FarmPieces.job()).job.id
            func cancel(_ headers: String...) async throws -> HTTPAnswer {
                try await farm.call("POST", "/v1/jobs/\(job)/cancel", as: nil, headers: [cookie] + headers)
            }
            #expect(try await cancel().code == "csrf")
            let other = csrf.dropLast() + (csrf.hasSuffix("0") ? "1" : "0")
            #expect(try await cancel("X-CSRF-Token: \(other)").code == "csrf")
            #expect(try await cancel("X-CSRF-Token: \(csrf)", "Origin: http://evil.example").code == "csrf")
            #expect(try await cancel("X-CSRF-Token: \(csrf)", "Origin: http://127.0.0.1:\(farm.port)").status == 200)
            let out = try await farm.call("DELETE", "/v1/session", as: nil, headers: [cookie, "X-CSRF-Token: \(csrf)"])
            #expect(out.status == 204 && out.headers["set-cookie"]?.contains("Max-Age=0") == true)
        }
    }

    /// A session lasts half a day after its token was given, whatever was asked meanwhile.
    @Test func aSessionEnds() async throws {
        let later = Later()
        try await withCoordinator { configuration, _ in
            configuration.now = { Date(timeIntervalSinceNow: later.seconds) }
        } _: { farm in
            let body = "{\"token\":\"\(farm.secret("editor"))\"}"
            let answer = try await farm.call("POST", "/v1/session", as: nil, body: body)
            let set = try #require(answer.headers["set-cookie"])
            let cookie = "Cookie: " + String(set.prefix { $0 != ";" })
            for (seconds, status) in [(0.0, 200), (11.9 * 3600, 200), (12.1 * 3600, 401)] {
                later.seconds = seconds
                #expect(try await farm.call("GET", "/v1/jobs", as: nil, headers: [cookie]).status == status)
            }
        }
    }
}
