import CompositionModel
import Farm
import WireProtocol

/// What somebody can do about a job in a report.
enum FailureAdvice {
    /// The sentence for a job; nil where its failure says it already, and where nothing is to be done.
    static func sentence(_ job: JobView) -> String? {
        if let problem = job.delivery?.problem, job.state == .completed { return problem }
        guard job.state == .failed, let failure = job.failure else { return nil }
        return sentence(failure.code, job.id)
    }

    private static func sentence(_ code: String, _ job: JobID) -> String? {
        let retry = "cutfarm retry \(job)"
        switch code {
        // Its message says what to do.
        case FarmFailure.earlierJobFailed: return nil
        case FarmFailure.noSpace, FarmFailure.workerNoSpace, FarmFailure.storageFailed:
            return "Make room on the disk that the reason names, then \(retry); what is finished is kept."
        case FarmFailure.taskQuarantined, FarmFailure.renderCrashed:
            return
                "Look at what the render process said (cutfarm logs \(job)); another source in place of the one that stops "
                + "it helps, or a newer version."
        case FarmFailure.renderOutOfMemory, FarmFailure.renderTimeLimit, FarmFailure.renderCPULimit:
            return "Start a worker on a machine with more memory or faster cores, then \(retry)."
        case FarmFailure.renderFileLimit: return "Render in a smaller size, or in shorter edits."
        case FarmFailure.attemptsExhausted, FarmFailure.leaseExpired, FarmFailure.coordinatorUnreachable,
            FarmFailure.assetUnavailable, FarmFailure.artifactLost, FarmFailure.artifactDamaged:
            return "See that the workers are well (cutfarm workers), then \(retry); what is finished is kept."
        case FarmFailure.versionMismatch: return "Upgrade the workers to the coordinator's version, then \(retry)."
        case _ where code.hasPrefix("asset_") || code.hasPrefix("source_"):
            return "Replace or repair the source that the reason names, then submit the edit again."
        default:
            return "If the reason has passed, \(retry) goes on with what is finished; else submit a corrected edit."
        }
    }
}
