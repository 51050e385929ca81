import WireProtocol

/// The stages that one transaction has closed, while it takes many artifacts back. Without this each rejected artifact would
/// close the later stages of its job again, and lock all leases of the job.
package struct WithdrawnStages {
    /// The lowest stage of each job behind which all is closed. Nothing opens these stages again before the transaction ends.
    private var lowest: [JobID: Int] = [:]

    package init() {}

    /// The changes without those that close what is closed.
    package mutating func withoutRepetitions(_ changes: [FarmChange]) -> [FarmChange] {
        changes.filter { change in
            guard case .withdrawTasks(let job, let stage) = change else { return true }
            if let known = lowest[job], known <= stage { return false }
            lowest[job] = stage
            return true
        }
    }
}
