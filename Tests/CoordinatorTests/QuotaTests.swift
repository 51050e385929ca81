import CompositionModel
import Farm
import Foundation
import NIOCore
import Synchronization
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// What one owner may ask of a coordinator at a time.
@Suite struct QuotaTests {
    private let clip = Data("a clip".utf8)

    /// A segment, its sound and what joins them: three tasks.
    private func submission(_ key: String) -> JobSubmission {
        let text = """
            { "schema": "edit/1", "format": { "size": [320, 180], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "1s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return JobSubmission(
            idempotencyKey: key,
            editText: text,
            title: "cut.json",
            assets: ["a": ContentDigest(of: clip)]
        )
    }

    private func uploadClip(_ farm: RunningCoordinator) async throws {
        let answer = try await farm.upload(clip, to: "/v1/assets/\(ContentDigest(of: clip).hex)", as: "editor")
        #expect(answer.status == 201)
    }

    @Test func anOwnerWithTooMuchWaitingIsTold() async throws {
        try await withCoordinator { configuration, _ in
            var policy = FarmPolicy()
            policy.quota.tasks = 5
            configuration.store = InMemoryFarmStore(policy: policy, identifiers: IdentifierSource(), clock: .system)
        } _: { farm in
            try await uploadClip(farm)
            let first = try await farm.post("/v1/jobs", submission("a"), as: "editor")
            #expect(first.status == 201, "\(first.text)")
            let second = try await farm.post("/v1/jobs", submission("b"), as: "editor")
            #expect(second.status == 429 && second.code == "quota_exceeded", "\(second.text)")
            #expect(second.headers["retry-after"] == "1")
            #expect(try await farm.post("/v1/jobs", submission("a"), as: "editor").status == 200)
            #expect(try await farm.post("/v1/jobs", submission("b"), as: "other").status == 201)
            let job = try first.decode(JobView.self)
            #expect(try await farm.call("POST", "/v1/jobs/\(job.id)/cancel", as: "editor").status == 200)
            #expect(try await farm.post("/v1/jobs", submission("b"), as: "editor").status == 201)
        }
    }

    /// A minute of footage six thousand times over: somebody asks for it and leaves, again and again. Nothing of it is
    /// planned to its end, and the other's edit is planned beside it.
    @Test func whatNobodyWaitsForIsNotPlanned() async throws {
        try await withCoordinator { farm in
            try await uploadClip(farm)
            var hostile = submission("h")
            hostile.editText = hostile.editText.replacing(
                #""duration": "1s" }"#,
                with: #""duration": "20s", "loop": 18000 }"#
            )
            let body = String(decoding: try WireJSON.encode(hostile), as: UTF8.self)
            for _ in 0..<6 {
                let connection = try RawConnection(port: farm.port)
                let head = [
                    "POST /v1/jobs HTTP/1.1", "Host: farm", "Authorization: Bearer \(farm.secret("editor"))",
                    "Content-Type: application/json", "Content-Length: \(body.utf8.count)", "", body,
                ]
                connection.send(head.joined(separator: "\r\n"))
            }
            #expect(try await farm.post("/v1/jobs", submission("a"), as: "other").status == 201)
            // Six submissions are under way until each was stopped.
            try await waitUntil { try await farm.post("/v1/jobs", submission("a"), as: "editor").status < 300 }
            #expect(try farm.store.jobs(JobFilter()).count == 2)
        }
    }

    /// A large body is not read before there is room for it; the share of one owner leaves room for others.
    @Test func largeSubmissionsWaitForRoom() async throws {
        try await withCoordinator { configuration, _ in
            configuration.submissionByteCount = 240_000
            // However long the test takes: who waits for room is not sent away, and a body that does not come has no
            // other end than its own.
            configuration.clock = TestClock()
            (configuration.limits.bodyWindow, configuration.limits.idle) = (.hours(1), .hours(1))
        } _: { farm in
            try await uploadClip(farm)
            var large = submission("a")
            large.editText += String(repeating: " ", count: 100_000)
            let slow = Mutex<RawConnection?>(try RawConnection(port: farm.port))
            let head = [
                "POST /v1/jobs HTTP/1.1", "Host: farm", "Authorization: Bearer \(farm.secret("editor"))",
                "Content-Type: application/json", "Content-Length: 100000", "Expect: 100-continue", "", "",
            ].joined(separator: "\r\n")
            slow.withLock { connection in
                connection?.send(head)
                #expect(connection?.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            }
            let isAnswered = Mutex(false)
            let waiting = Task { [large] in
                let answer = try await farm.post("/v1/jobs", large, as: "editor")
                isAnswered.withLock { $0 = true }
                return answer
            }
            #expect(try await farm.post("/v1/jobs", submission("b"), as: "editor").status == 201)
            #expect(try await farm.post("/v1/jobs", large, as: "other").status == 201)
            #expect(isAnswered.withLock { !$0 })
            slow.withLock { $0 = nil }
            #expect(try await waiting.value.status == 201)
        }
    }

    /// Bodies that do not come count from their first line; the others of the farm are not held up.
    @Test func anOwnerHasFewSubmissionsUnderWay() async throws {
        try await withCoordinator { configuration, _ in
            configuration.submissionsPerOwner = 2
            // However long the test takes: a body that does not come has no other end than its own.
            (configuration.limits.bodyWindow, configuration.limits.idle) = (.hours(1), .hours(1))
        } _: { farm in
            try await uploadClip(farm)
            let head = [
                "POST /v1/jobs HTTP/1.1", "Host: farm", "Authorization: Bearer \(farm.secret("editor"))",
                "Content-Type: application/json", "Content-Length: 1000", "", "{",
            ].joined(separator: "\r\n")
            var slow: [RawConnection] = []
            try await waitUntil {
                let more = try (0..<2).map { _ in try RawConnection(port: farm.port) }
                for connection in more { connection.send(head) }
                slow += more
                return try await farm.post("/v1/jobs", submission("a"), as: "editor").status == 429
            }
            let refused = try await farm.post("/v1/jobs", submission("a"), as: "editor")
            #expect(refused.code == "too_many_submissions", "\(refused.text)")
            #expect(try await farm.post("/v1/jobs", submission("a"), as: "other").status == 201)
            slow = []
            try await waitUntil { try await farm.post("/v1/jobs", submission("a"), as: "editor").status < 300 }
        }
    }
}
