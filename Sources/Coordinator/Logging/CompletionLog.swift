import Farm
import Logging
import WireProtocol

/// Writes to the log how a completion ended, and counts those that count.
struct CompletionLog: Sendable {
    let store: any FarmStore
    let metrics: FarmMetrics
    let traces: JobTraces
    let logger: Logger

    /// Writes one line.
    /// - Parameters:
    ///   - task: the task of the attempt; nil when it is not known.
    ///   - done: the message for a completion that counts.
    func note(
        _ outcome: CompletionOutcome,
        of attempt: AttemptID,
        _ task: TaskRecord?,
        _ completion: TaskCompletion,
        done: Logger.Message
    ) async {
        var metadata: Logger.Metadata = [
            "attempt": "\(attempt)", "worker": "\(completion.worker)", "outcome": "\(outcome)",
            "artifact": "\(completion.artifact)",
        ]
        if outcome == .accepted, let task {
            metrics.accepted(task, completion.statistics)
            metadata = metadata.with(await traces.trace(of: task.job))
            if task.isAudited { metrics.audited() }
        }
        if outcome == .differed { metrics.differed() }
        switch outcome {
        case .delivered: logger.info("delivered for an audit", metadata: metadata)
        case .differed:
            logger.warning("an audit found two machines that differ; another one decides", metadata: metadata)
        case .accepted, .alreadyDone: logger.info(done, metadata: metadata)
        case .leaseLost: logger.info("completion came too late", metadata: metadata)
        case .conflict:
            // A divergent artifact breaks the farm's one promise, so it must not hide among successes.
            let accepted = try? await store.acceptedArtifact(of: attempt)
            metadata["accepted"] = accepted.map { "\($0)" } ?? "unknown"
            logger.warning("one task was rendered to different bytes; compare the two workers", metadata: metadata)
        }
    }
}
