import Farm
import Synchronization
import WireProtocol

/// What this coordinator told of the ends of jobs, so that whoever asks sees one countdown. A coordinator that starts anew,
/// or another one of the farm, begins with the pace.
final class FinishEstimates: Sendable {
    private struct Told {
        var estimate = FinishEstimate()
        var at = FarmTime(milliseconds: 0)
    }

    /// The most jobs that are remembered, about 100 bytes each.
    private static let mostJobs = 4096

    private let told = Mutex<[JobID: Told]>([:])

    /// The seconds to tell of a job at `now`; see ``FinishEstimate/tell(_:workLeft:of:at:)``.
    /// - Parameters:
    ///   - paced: the seconds left by its pace; nil while nothing of it is under way.
    ///   - cost: the cost of all its tasks, in milliseconds of one idle core; 0 when that is not known.
    func tell(_ job: JobView, _ paced: Double?, _ cost: Int64, at now: FarmTime) -> Double? {
        told.withLock { told in
            guard cost > 0 || told[job.id] != nil else { return nil }
            if told[job.id] == nil, told.count >= Self.mostJobs { Self.forget(&told) }
            var entry = told[job.id] ?? Told()
            // Requests that read the clock one after the other may come here in the other order.
            entry.at = entry.at < now ? now : entry.at
            let left = cost * Int64(1000 - job.permille) / 1000
            let seconds = entry.estimate.tell(cost > 0 ? paced : nil, workLeft: left, of: cost, at: entry.at)
            told[job.id] = entry
            return seconds
        }
    }

    /// Forgets the half that was asked for the longest ago.
    private static func forget(_ told: inout [JobID: Told]) {
        let oldest = told.sorted { $0.value.at < $1.value.at }.prefix(told.count / 2)
        for (job, _) in oldest { told[job] = nil }
    }
}
