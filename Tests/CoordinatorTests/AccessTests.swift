import Foundation
import TestSupport
import Testing

/// Who may do what, and what the others are told.
@Suite struct AccessTests {
    static let id = "00000000-0000-7000-8000-000000000000"
    static let sha = String(repeating: "ab", count: 32)
    /// Every route under /v1 with the tokens that may use it.
    static let routes: [(String, String, Set<String>)] = [
        ("POST", "/v1/jobs", ["editor", "other"]),
        ("GET", "/v1/jobs", ["viewer", "editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)", ["viewer", "editor", "other"]),
        ("DELETE", "/v1/jobs/job_\(id)", ["editor", "other"]),
        ("POST", "/v1/jobs/job_\(id)/cancel", ["editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)/tasks", ["viewer", "editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)/plan", ["viewer", "editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)/composition", ["viewer", "editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)/events", ["viewer", "editor", "other"]),
        ("GET", "/v1/jobs/job_\(id)/output", ["viewer", "editor", "other"]),
        ("HEAD", "/v1/jobs/job_\(id)/output", ["viewer", "editor", "other"]),
        ("GET", "/v1/workers", ["viewer", "editor", "other"]),
        ("POST", "/v1/workers", ["worker"]),
        ("POST", "/v1/workers/wrk_\(id)/heartbeat", ["worker"]),
        ("POST", "/v1/workers/wrk_\(id)/release", ["worker"]),
        ("POST", "/v1/workers/wrk_\(id)/drain", []),
        ("POST", "/v1/workers/wrk_\(id)/undrain", []),
        ("GET", "/v1/attempts/att_\(id)/log", ["viewer", "editor", "other"]),
        ("POST", "/v1/attempts/att_\(id)/log", ["worker"]),
        ("GET", "/metrics", ["viewer", "editor", "other"]),
        ("POST", "/v1/leases:poll", ["worker"]),
        ("POST", "/v1/attempts/att_\(id)/complete", ["worker"]),
        ("POST", "/v1/attempts/att_\(id)/fail", ["worker"]),
        ("HEAD", "/v1/assets/\(sha)", ["editor", "other", "worker"]),
        ("GET", "/v1/assets/\(sha)", ["editor", "other", "worker"]),
        ("PUT", "/v1/assets/\(sha)", ["editor", "other"]),
        ("GET", "/v1/assets/\(sha)/record", ["editor", "other", "worker"]),
        ("POST", "/v1/assets:register", ["editor", "other"]),
        ("HEAD", "/v1/artifacts/\(sha)", ["worker"]),
        ("GET", "/v1/artifacts/\(sha)", ["worker"]),
        ("PUT", "/v1/artifacts/\(sha)", ["worker"]),
        ("POST", "/v1/artifacts/\(sha)/order", ["worker"]),
        ("POST", "/v1/artifacts/\(sha)/stored", ["worker"]),
    ]

    @Test func everyRouteAsksForItsScope() async throws {
        try await withCoordinator { farm in
            for (method, path, allowed) in AccessTests.routes {
                #expect(try await farm.call(method, path, as: nil).status == 401, "\(method) \(path)")
                for token in ["viewer", "editor", "worker"] {
                    let status = try await farm.call(method, path, as: token).status
                    #expect((status == 403) == !allowed.contains(token), "\(method) \(path) as \(token): \(status)")
                    #expect(status != 401)
                }
                let status = try await farm.call(method, path, as: "admin").status
                #expect(![401, 403, 405, 500].contains(status), "\(method) \(path) as admin: \(status)")
            }
            #expect(try await farm.call("GET", "/v1/events", as: nil).status == 401)
            #expect(try await farm.call("GET", "/v1/events", as: "worker").status == 403)
        }
    }

    @Test func refusalsAreProblems() async throws {
        try await withCoordinator { farm in
            let cases: [(String, String, String?, Int, String)] = [
                ("GET", "/v1/jobs", nil, 401, "unauthorized"),
                ("GET", "/v1/jobs", "not-a-known-token", 401, "unauthorized"),
                ("GET", "/v1/workers", "worker", 403, "forbidden"), ("GET", "/v2/jobs", "admin", 404, "not_found"),
                ("GET", "/", "not-a-known-token", 401, "unauthorized"),
                ("GET", "/v1/jobs/cut", "admin", 404, "not_found"), ("GET", "/etc/passwd", "admin", 404, "not_found"),
                ("GET", "/v1/jobs/job_\(AccessTests.id)", "admin", 404, "unknown_job"),
                ("PUT", "/v1/jobs", "admin", 405, "method_not_allowed"),
                ("PATCH", "/v1/leases:poll", "admin", 405, "method_not_allowed"),
                ("POST", "/healthz", nil, 405, "method_not_allowed"),
                ("GET", "/v1/artifacts/\(AccessTests.sha)", "admin", 404, "artifact_missing"),
                ("GET", "/v1/artifacts/xyz", "admin", 404, "not_found"),
                ("GET", "/v1/jobs?limit=0", "admin", 400, "invalid_request"),
                ("GET", "/v1/jobs?state=lost", "admin", 400, "invalid_request"),
                ("POST", "/v1/jobs", "admin", 415, "unsupported_type"),
            ]
            for (method, path, token, status, code) in cases {
                let answer = try await farm.call(method, path, as: token)
                #expect(answer.status == status, "\(method) \(path)")
                #expect(answer.code == code, "\(method) \(path): \(answer.text)")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
            }
            let notAllowed = try await farm.call("PUT", "/v1/jobs")
            #expect(notAllowed.headers["allow"] == "GET, POST")
            for body in ["{", "[]", "{\"worker\": 5}", "{\"worker\":\"wrk_x\",\"poll\":\"y\"}"] {
                let answer = try await farm.call("POST", "/v1/leases:poll", body: body)
                #expect(answer.status == 400 && answer.code == "invalid_request", "\(body)")
            }
            let head = try await farm.call("HEAD", "/v1/artifacts/\(AccessTests.sha)")
            #expect(head.status == 404 && head.body.isEmpty)
        }
    }

    @Test func healthNeedsNoToken() async throws {
        try await withCoordinator { farm in
            let health = try await farm.call("GET", "/healthz", as: nil)
            #expect(health.text == "{\"status\":\"ok\"}")
            let readiness = try await farm.call("GET", "/readyz", as: nil)
            #expect(readiness.status == 200)
        }
    }
}
