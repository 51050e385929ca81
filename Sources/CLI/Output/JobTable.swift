import Foundation
import WireProtocol

/// Jobs as a table for people.
enum JobTable {
    /// The table, and a line for each set of versions that jobs wait for.
    static func text(_ jobs: [JobView]) -> String {
        let rows = jobs.map { job in
            [
                job.id.description, job.title, job.preset, state(job), "\(job.permille / 10) %",
                "\(job.tasks.completed)/\(job.tasks.total)",
                job.created.formatted(.iso8601),
            ]
        }
        let table = TextTable(["job", "title", "preset", "state", "done", "tasks", "created"], rows).text
        let awaited = Set(jobs.compactMap(\.awaitedVersions)).sorted().map(waits)
        return ([table] + awaited).joined(separator: "\n")
    }

    /// The sentence about jobs that no worker can do.
    /// - Parameter versions: The versions that the jobs wait for, as in ``JobView/awaitedVersions``.
    static func waits(_ versions: String) -> String {
        "Waits: no worker or coordinator that is here and takes work has \(versions). Start one, or cancel the job and "
            + "submit it again."
    }

    /// The state, and whether the job waits for a worker.
    private static func state(_ job: JobView) -> String {
        job.state.rawValue + (job.awaitedVersions == nil ? "" : ", waits")
    }
}
