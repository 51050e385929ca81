import CompositionModel
import Farm
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

@Suite struct MetricsTests {
    private static let promtool = Programs.repository.appendingPathComponent(".build/prometheus/usr/bin/promtool").path

    /// The value of a sample, as it is written.
    private func value(_ sample: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }.map {
            String($0.dropFirst(sample.utf8.count + 1))
        }
    }

    /// A farm of which a segment is accepted, a task has failed once, and a worker works.
    private func used(_ body: (RunningCoordinator, String) async throws -> Void) async throws {
        try await withCoordinator { farm in
            let worker = try await farm.registerWorker()
            _ = try farm.store.insertJob(FarmPieces.job(parts: 3))
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 0, capacity: 2))
            let data = FarmPieces.part("segment")
            let completion = FarmPieces.completion(worker, data)
            _ = try await farm.upload(data, to: "/v1/artifacts/\(completion.artifact.hex)")
            let attempt = "/v1/attempts/\(try #require(grants.first).attempt)"
            #expect(try await farm.post(attempt + "/complete", completion).status == 200)
            let failure = Failure(code: "asset_\"odd\"\n", message: "x", isPermanent: false)
            let failed = "/v1/attempts/\(try #require(grants.last).attempt)/fail"
            #expect(try await farm.post(failed, TaskFailure(worker: worker, failure: failure)).status == 204)
            let answer = try await farm.call("GET", "/metrics", as: "viewer")
            #expect(answer.status == 200 && answer.headers["content-type"] == MetricsText.mediaType)
            try await body(farm, answer.text)
        }
    }

    @Test func theNumbersAreThoseOfTheFarm() async throws {
        try await used { farm, text in
            #expect(value("cutfarm_database_up", in: text) == "1")
            #expect(value(#"cutfarm_jobs{state="rendering"}"#, in: text) == "1", "\(text)")
            #expect(value(#"cutfarm_tasks_queued{priority="0"}"#, in: text) == "2")
            #expect(value("cutfarm_leases", in: text) == "0")
            #expect(value(#"cutfarm_workers{state="idle"}"#, in: text) == "1")
            #expect(value("cutfarm_frames_accepted_total", in: text) == "25")
            #expect(value(#"cutfarm_attempt_failures_total{reason="asset_\"odd\"\n"}"#, in: text) == "1")
            #expect(value(#"cutfarm_worker_failures_total{worker="bench"}"#, in: text) == "1")
            #expect(value("cutfarm_oldest_queued_job_seconds", in: text) == "0")
            #expect(value(#"cutfarm_task_seconds_bucket{kind="picture",le="+Inf"}"#, in: text) == "1")
            let complete = #"{method="POST",route="/v1/attempts/{id}/complete",status="200"}"#
            #expect(value("cutfarm_http_requests_total" + complete, in: text) == "1")
            let uploaded = value(#"cutfarm_http_received_bytes_total{route="/v1/artifacts/{sha256}"}"#, in: text)
            #expect(uploaded == "\(FarmPieces.part("segment").count)")
            #expect(value("cutfarm_disk_free_bytes", in: text) != nil)
            #expect(value("cutfarm_unfinished_uploads", in: text) == "0")
        }
    }

    /// Prometheus' own checker has nothing to say about the text.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: promtool),
            "promtool is missing: scripts/install-dependencies test"
        )
    )
    func promtoolAcceptsTheText() async throws {
        try await used { farm, text in
            let file = farm.folder.path("metrics")
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let outcome = try await Shell.run("sh", ["-c", "\"$1\" check metrics < \"$0\"", file, Self.promtool])
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.text) \(outcome.errors)")
        }
    }

    @Test(arguments: [false, true]) func aTokenIsNeededUnlessTheyAreOpen(isOpen: Bool) async throws {
        try await withCoordinator { configuration, _ in
            configuration.opensMetrics = isOpen
        } _: { farm in
            let answer = try await farm.call("GET", "/metrics", as: nil)
            #expect(answer.status == (isOpen ? 200 : 401))
        }
    }

    @Test func reasonsAreBounded() {
        let metrics = FarmMetrics()
        for number in 0..<1000 { metrics.failed("reason \(number)") }
        var text = MetricsText()
        metrics.write(to: &text)
        let reasons = text.text.split(separator: "\n").filter { $0.hasPrefix("cutfarm_attempt_failures_total{") }
        #expect(reasons.count == FarmMetrics.mostReasons + 1)
        #expect(value(#"cutfarm_attempt_failures_total{reason="other"}"#, in: text.text) == "950")
    }

    /// A reason that is cut to its length is known by what is kept of it.
    @Test func longReasonsAreKnown() {
        let metrics = FarmMetrics()
        let long = String(repeating: "x", count: 200)
        metrics.failed(long)
        for number in 0..<1000 { metrics.failed("reason \(number)") }
        metrics.failed(long, count: 4)
        var text = MetricsText()
        metrics.write(to: &text)
        let sample = "cutfarm_attempt_failures_total{reason=\"\(String(repeating: "x", count: 64))\"}"
        #expect(value(sample, in: text.text) == "5")
    }

    /// What requests announce and do not send counts for nothing, however much it is.
    @Test func onlyBytesThatCameAreCounted() async throws {
        try await withCoordinator { farm in
            for _ in 0..<3 {
                let connection = try RawConnection(port: farm.port)
                let head = [
                    "POST /v1/jobs/\(JobID(uuid: UUID()))/cancel HTTP/1.1", "Host: farm",
                    "Authorization: Bearer \(farm.secret("editor"))", "Content-Length: \(Int64.max)", "", "",
                ]
                connection.send(head.joined(separator: "\r\n"))
                #expect(connection.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 404"))
            }
            let body = #"{"lines": []}"#
            let path = "/v1/attempts/\(AttemptID(uuid: UUID()))/log"
            #expect(try await farm.call("POST", path, as: "worker", body: body).status >= 400)
            let text = try await farm.call("GET", "/metrics", as: "viewer").text
            let name = "cutfarm_http_received_bytes_total"
            #expect(value(name + #"{route="/v1/jobs/{id}/cancel"}"#, in: text) == nil)
            #expect(value(name + #"{route="/v1/attempts/{id}/log"}"#, in: text) == "\(body.utf8.count)")
        }
    }

    /// However often somebody scrapes, the database is asked once in a while.
    @Test func countsAreShared() async throws {
        let store = StalledStore()
        let tally = SharedTally(store: store, clock: ContinuousClock())
        for _ in 0..<5 { #expect(await tally.answer().tally != nil) }
        #expect(store.tallies == 1)
    }
}
