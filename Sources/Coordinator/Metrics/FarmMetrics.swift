import Farm
import Foundation
import Synchronization
import Timing
import WireProtocol

/// The counters of one coordinator since it started, for Prometheus. The numbers of label values are bounded: no job and
/// no owner is a label, and of workers those that failed first.
final class FarmMetrics: Sendable {
    private struct Request: Hashable {
        let method: String
        let route: String
        let status: Int
    }

    private struct State {
        var requests: [Request: Int] = [:]
        var received: [String: Int64] = [:]
        var sent: [String: Int64] = [:]
        var failures: [String: Int] = [:]
        var failuresByWorker: [String: Int] = [:]
        var times: [TaskKind: TimeHistogram] = [:]
        var frames: Int64 = 0
        var copied: Int64 = 0
        var audits = 0
        var mismatches = 0
        var convictions = 0
    }

    /// The most reasons of failures that are told apart; others count as `other`. Workers name them.
    static let mostReasons = 50
    /// The most names of workers that are told apart; others count as `other`.
    static let mostWorkers = 100
    /// The most characters of a reason or a name; those that differ only behind them are the same.
    static let longestReason = 64
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE"]

    private let started = Date()
    private let state = Mutex(State())

    /// Counts a request that was answered.
    /// - Parameters:
    ///   - route: the address as the table of routes has it; nil for one that is none.
    ///   - received: the bytes of the body that were read.
    ///   - sent: the bytes of the answer's body, as announced.
    func answered(_ method: String, _ route: String?, _ status: Int, received: Int64, sent: Int64) {
        let request = Request(
            method: Self.methods.contains(method) ? method : "other",
            route: route ?? "none",
            status: status
        )
        state.withLock { state in
            state.requests[request, default: 0] += 1
            if received > 0 { state.received[request.route, default: 0] &+= received }
            if sent > 0 { state.sent[request.route, default: 0] &+= sent }
        }
    }

    /// Counts a task whose artifact was accepted.
    func accepted(_ task: TaskRecord, _ statistics: TaskStatistics) {
        state.withLock { state in
            state.times[task.kind, default: TimeHistogram()].add(seconds: Double(statistics.wallMilliseconds) / 1000)
            guard task.kind == .picture, let frames = task.frames else { return }
            state.frames += frames.count
            state.copied += task.copiedCount ?? 0
        }
    }

    /// Counts a task whose artifact two machines made alike.
    func audited() { state.withLock { $0.audits += 1 } }

    /// Counts an artifact that differs from what other machines made of the same task.
    func differed() { state.withLock { $0.mismatches += 1 } }

    /// Counts a worker that an audit found faulty.
    func convicted() { state.withLock { $0.convictions += 1 } }

    /// Counts attempts that failed for the same reason.
    /// - Parameter worker: the name of the worker that failed; nil when none is to be blamed.
    func failed(_ code: String, count: Int = 1, worker: String? = nil) {
        guard count > 0 else { return }
        state.withLock { state in
            Self.add(count, to: &state.failures, code, most: Self.mostReasons)
            guard let worker else { return }
            Self.add(count, to: &state.failuresByWorker, worker, most: Self.mostWorkers)
        }
    }

    /// Shows a worker that has not failed yet, so that its first failure is seen as an increase.
    func joined(_ worker: String) {
        state.withLock { Self.add(0, to: &$0.failuresByWorker, worker, most: Self.mostWorkers) }
    }

    private static func add(_ count: Int, to counts: inout [String: Int], _ full: String, most: Int) {
        let name = String(decoding: full.utf8.prefix(longestReason), as: UTF8.self)
        let isKnown = counts[name] != nil || counts.count < most
        counts[isKnown ? name : "other", default: 0] += count
    }

    /// Writes all counters.
    func write(to text: inout MetricsText) {
        let state = state.withLock(\.self)
        text.add(
            "process_start_time_seconds",
            .gauge,
            "Start of the coordinator, in seconds since 1970.",
            started.timeIntervalSince1970.rounded()
        )
        text.add(
            "cutfarm_frames_accepted_total",
            .counter,
            "Frames of accepted segments, those that were copied among them.",
            Double(state.frames)
        )
        text.add(
            "cutfarm_frames_copied_total",
            .counter,
            "Frames of accepted segments that were copied and not encoded.",
            Double(state.copied)
        )
        text.add(
            "cutfarm_audits_total",
            .counter,
            "Parts that two machines made alike.",
            Double(state.audits)
        )
        text.add(
            "cutfarm_audit_mismatches_total",
            .counter,
            "Parts that a machine made otherwise than others before it.",
            Double(state.mismatches)
        )
        text.add(
            "cutfarm_faulty_workers_total",
            .counter,
            "Workers that an audit found faulty and whose parts were withdrawn.",
            Double(state.convictions)
        )
        text.begin("cutfarm_attempt_failures_total", .counter, "Attempts that failed, by the failure's code.")
        for (code, count) in state.failures.sorted(by: { $0.key < $1.key }) {
            text.add("cutfarm_attempt_failures_total", [("reason", code)], Double(count))
        }
        text.begin(
            "cutfarm_worker_failures_total",
            .counter,
            "Attempts that workers reported as failed, or whose parts were damaged, by the worker's name."
        )
        for (name, count) in state.failuresByWorker.sorted(by: { $0.key < $1.key }) {
            text.add("cutfarm_worker_failures_total", [("worker", name)], Double(count))
        }
        text.begin("cutfarm_task_seconds", .histogram, "Elapsed time of accepted tasks on their worker, by kind.")
        for kind in TaskKind.allCases {
            state.times[kind]?.write("cutfarm_task_seconds", [("kind", kind.rawValue)], to: &text)
        }
        writeRequests(state, to: &text)
    }

    private func writeRequests(_ state: State, to text: inout MetricsText) {
        text.begin("cutfarm_http_requests_total", .counter, "Requests that were answered, by method, route and status.")
        let requests = state.requests.sorted {
            ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
        }
        for (request, count) in requests {
            let labels = [("method", request.method), ("route", request.route), ("status", "\(request.status)")]
            text.add("cutfarm_http_requests_total", labels, Double(count))
        }
        text.begin("cutfarm_http_received_bytes_total", .counter, "Bytes of bodies that came with requests, by route.")
        for (route, bytes) in state.received.sorted(by: { $0.key < $1.key }) {
            text.add("cutfarm_http_received_bytes_total", [("route", route)], Double(bytes))
        }
        text.begin("cutfarm_http_sent_bytes_total", .counter, "Bytes of bodies of answers, by route.")
        for (route, bytes) in state.sent.sorted(by: { $0.key < $1.key }) {
            text.add("cutfarm_http_sent_bytes_total", [("route", route)], Double(bytes))
        }
    }
}
