import Farm
import Logging
import Synchronization
import WireProtocol

/// The traces of jobs under way, for leases and log lines. What was read once is remembered: a trace never changes.
final class JobTraces: Sendable {
    /// The most jobs that are remembered; beyond it all are forgotten.
    private static let limit = 10_000

    private let store: (any TraceStore)?
    private let known = Mutex<[JobID: TraceParent?]>([:])

    /// - Parameter store: nil for a farm without traces.
    init(store: (any TraceStore)?) { self.store = store }

    /// The trace of a job; nil when it has none, and when the database does not answer.
    func trace(of job: JobID) async -> TraceParent? { await traces(of: [job])[job] }

    /// Grants with the trace of each, whose parent is the attempt's span.
    func marking(_ grants: [LeaseGrant]) async -> [LeaseGrant] {
        let traces = await traces(of: grants.map(\.job))
        return grants.map { grant in
            var grant = grant
            let span = Span.identifier("attempt", of: grant.attempt)
            grant.traceparent = traces[grant.job]?.from(span: span)
            return grant
        }
    }

    private func traces(of jobs: [JobID]) async -> [JobID: TraceParent] {
        guard let store, !jobs.isEmpty else { return [:] }
        let strange = known.withLock { known in Set(jobs.filter { known[$0] == nil }) }
        // What the database did not say is asked for again.
        let answer = strange.isEmpty ? [:] : try? await store.traces(of: Array(strange))
        let read = answer ?? [:]
        return known.withLock { known in
            guard answer != nil else {
                return jobs.reduce(into: [:]) { found, job in found[job] = known[job].flatMap(\.self) }
            }
            if known.count + strange.count > Self.limit { known.removeAll() }
            for job in strange { known[job] = .some(read[job]) }
            return jobs.reduce(into: [:]) { found, job in found[job] = known[job].flatMap(\.self) ?? read[job] }
        }
    }
}

extension Logger.Metadata {
    /// These fields with the trace, where there is one.
    func with(_ trace: TraceParent?) -> Logger.Metadata {
        guard let trace else { return self }
        return merging(["trace": "\(trace.trace)"]) { $1 }
    }
}
