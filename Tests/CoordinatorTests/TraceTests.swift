import Farm
import FarmSimulation
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Coordinator

/// Traces of jobs, to a receiver that looks at every member of what it gets.
@Suite struct TraceTests {
    /// An `ExportTraceServiceRequest` in JSON, strictly: numbers of 64 bits are strings, identifiers hex.
    private struct Exported: Decodable {
        struct Attribute: Decodable {
            struct Value: Decodable { var stringValue: String }
            var key: String
            var value: Value
        }
        struct Span: Decodable {
            struct Status: Decodable {
                var code: Int
                var message: String
            }
            var traceId: String, spanId: String, parentSpanId: String, name: String, kind: Int
            var startTimeUnixNano: String, endTimeUnixNano: String
            var attributes: [Attribute]
            var status: Status?
        }
        struct Scope: Decodable { var name: String }
        struct ScopeSpans: Decodable {
            var scope: Scope
            var spans: [Span]
        }
        struct Resource: Decodable { var attributes: [Attribute] }
        struct ResourceSpans: Decodable {
            var resource: Resource
            var scopeSpans: [ScopeSpans]
        }
        var resourceSpans: [ResourceSpans]

        var spans: [Span] { resourceSpans.flatMap(\.scopeSpans).flatMap(\.spans) }
    }

    private func exported(_ receiver: LoopbackServer) throws -> [Exported] {
        try receiver.sent(to: "/v1/traces").map { try JSONDecoder().decode(Exported.self, from: $0) }
    }

    private func job(_ parent: TraceParent, segments: Int = 2) -> NewJob {
        var job = SampleJob.job(key: UUID().uuidString, segments: segments)
        job.trace = JobTrace(parent: parent, submitMilliseconds: 50, planMilliseconds: 20)
        return job
    }

    private func complete(_ job: JobID, in store: PostgresFarmStore) async throws {
        let worker = try await store.register("worker")
        while try await store.job(job)?.state.isFinal == false {
            for grant in try await store.acquire(worker, capacity: 4) {
                _ = try await store.complete(grant, by: worker)
            }
        }
    }

    private func withExporter(
        _ store: PostgresFarmStore,
        _ body: (LoopbackServer, TestClock) async throws -> Void
    ) async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        let receiver = try await LoopbackServer(folder: folder.path("otlp"))
        try await withCoordinator { configuration, _ in
            configuration.store = store
            configuration.clock = clock
            configuration.otlpEndpoint = receiver.url + "/v1/traces"
        } _: { _ in
            try await body(receiver, clock)
        }
    }

    @Test func aJobIsExportedWithAllItsSpans() async throws {
        let (store, parent) = (try await StoreDatabase.store(), TraceParent.random())
        let id = try await store.insertJob(job(parent)).job.id
        #expect(try await store.job(id)?.trace == parent.trace)
        try await complete(id, in: store)
        try await withExporter(store) { receiver, clock in
            try await clock.turn(by: .seconds(1)) { try !exported(receiver).isEmpty }
            let requests = try exported(receiver)
            #expect(requests.count == 1)
            let spans = requests[0].spans
            let names = spans.map(\.name).sorted()
            let each = ["queued", "rendered", "uploaded"]
            let parts = try await store.tasks(of: id).filter { $0.kind != .stitch }
            var expected = ["job", "submit", "plan", "stitch", "queued", "joined", "published"]
            for part in parts { expected += [part.kind.rawValue] + each }
            #expect(names == expected.sorted())
            #expect(spans.allSatisfy { $0.traceId == parent.trace && $0.kind == 1 && $0.status == nil })
            let identifiers = Set(spans.map(\.spanId))
            #expect(identifiers.count == spans.count && identifiers.allSatisfy { $0.count == 16 })
            let root = try #require(spans.first { $0.name == "job" })
            #expect(root.parentSpanId == parent.span)
            #expect(spans.allSatisfy { $0.name == "job" || identifiers.contains($0.parentSpanId) })
            for span in spans {
                let (start, end) = (
                    try #require(Int64(span.startTimeUnixNano)), try #require(Int64(span.endTimeUnixNano))
                )
                #expect(start <= end && start >= Int64(root.startTimeUnixNano) ?? 0, "\(span.name)")
                #expect(end <= Int64(root.endTimeUnixNano) ?? 0, "\(span.name)")
            }
            let submit = try #require(spans.first { $0.name == "submit" })
            let (began, ended) = (
                try #require(Int64(submit.startTimeUnixNano)), try #require(Int64(submit.endTimeUnixNano))
            )
            #expect(ended - began == 50_000_000)
            let service = requests[0].resourceSpans[0].resource.attributes.first { $0.key == "service.name" }
            #expect(service?.value.stringValue == "cutfarm")
            #expect(root.attributes.contains { $0.key == "cutfarm.job" && $0.value.stringValue == "\(id)" })
        }
    }

    /// A store whose database does not answer at first.
    private actor LateTraces: TraceStore {
        let trace: TraceParent
        private var isAway = true

        init(_ trace: TraceParent) { self.trace = trace }

        func traces(of jobs: [JobID]) throws(FarmStoreError) -> [JobID: TraceParent] {
            guard !isAway else {
                isAway = false
                throw .unavailable("The database is away.")
            }
            return Dictionary(uniqueKeysWithValues: jobs.map { ($0, trace) })
        }

        func claimTrace() -> EndedTrace? { nil }
    }

    /// What the database did not say once is asked for again: a job does not lose its trace.
    @Test func aTraceThatCouldNotBeReadIsReadAgain() async throws {
        let (job, trace) = (JobID(uuid: UUID()), TraceParent.random())
        let traces = JobTraces(store: LateTraces(trace))
        #expect(await traces.trace(of: job) == nil)
        #expect(await traces.trace(of: job)?.trace == trace.trace)
    }

    /// Two exporters, two jobs: each once. One that was cancelled says so.
    @Test func eachTraceIsExportedOnce() async throws {
        let store = try await StoreDatabase.store()
        let id = try await store.insertJob(job(.random())).job.id
        let plain = try await store.insertJob(SampleJob.job(key: "untraced", segments: 1)).job.id
        #expect(try await store.claimTrace() == nil, "it has not ended")
        for job in [id, plain] { _ = try await store.cancel(job) }
        let claims = (try await store.claimTrace(), try await store.claimTrace())
        #expect(claims.0?.job == id && claims.0?.trace.planMilliseconds == 20 && claims.1 == nil)
        let view = try #require(try await store.job(id))
        let spans = JobSpans(view, try #require(claims.0).trace).own
        #expect(spans.map(\.error) == ["The job was cancelled.", nil, nil])
    }

    /// A receiver that is away costs the trace and nothing else; one that comes back in time gets it.
    @Test func aReceiverThatFailsIsAskedThreeTimes() async throws {
        let store = try await StoreDatabase.store()
        try await withExporter(store) { receiver, clock in
            let refusals = Array(repeating: "503 unavailable", count: 3)
            try receiver.script(refusals + ["503 unavailable", "go"], at: "/v1/traces")
            let lost = try await store.insertJob(job(.random())).job.id
            _ = try await store.cancel(lost)
            try await clock.turn(by: .seconds(1)) { receiver.log.count == 3 }
            let kept = try await store.insertJob(job(.random())).job.id
            _ = try await store.cancel(kept)
            try await clock.turn(by: .seconds(1)) { receiver.log.count == 5 }
            let traces = try exported(receiver).map { $0.spans[0].traceId }
            #expect(traces.count == 5 && Set(traces[..<3]).count == 1 && Set(traces[3...]).count == 1)
            #expect(traces[0] != traces[3])
        }
    }

    /// Many tasks go in several requests of bounded size.
    @Test func aLargeTraceGoesInBatches() async throws {
        let store = try await StoreDatabase.store()
        let id = try await store.insertJob(job(.random(), segments: 260)).job.id
        try await complete(id, in: store)
        try await withExporter(store) { receiver, clock in
            try receiver.serve(Data("{}".utf8), at: "/v1/traces.reply")
            try await clock.turn(by: .seconds(1)) { try exported(receiver).reduce(0) { $0 + $1.spans.count } > 1000 }
            let requests = try exported(receiver)
            #expect(requests.count >= 2 && requests.allSatisfy { $0.spans.count <= TraceExporter.batch })
            let all = requests.flatMap(\.spans)
            #expect(Set(all.map(\.spanId)).count == all.count)
        }
    }

    /// Leases carry the trace with the span of their attempt.
    @Test func workersHearOfTheTrace() async throws {
        let (store, parent) = (try await StoreDatabase.store(), TraceParent.random())
        try await withCoordinator { configuration, _ in
            configuration.store = store
        } _: { farm in
            var job = try FarmPieces.job()
            job.trace = JobTrace(parent: parent, submitMilliseconds: 50, planMilliseconds: 20)
            _ = try await store.insertJob(job)
            let worker = try await farm.registerWorker()
            let grants = try await farm.grants(FarmPieces.poll(worker, wait: 20_000, capacity: 2))
            #expect(!grants.isEmpty)
            for grant in grants {
                let span = Span.identifier("attempt", of: grant.attempt)
                #expect(grant.traceparent == parent.from(span: span))
            }
        }
    }
}
