import WireProtocol

/// The message when a command that follows jobs of a farm is interrupted: the jobs go on.
enum InterruptedWatch {
    /// The sentence about jobs that go on.
    /// - Parameter jobs: at least one job, none of which has ended.
    static func sentence(_ jobs: [JobID]) -> String {
        guard jobs.count > 1 else {
            return "Interrupted. The job goes on: `cutfarm watch \(jobs[0])` follows it again, "
                + "`cutfarm cancel \(jobs[0])` ends it."
        }
        let words = jobs.map(\.description).joined(separator: " ")
        return "Interrupted. \(jobs.count) jobs go on: `cutfarm jobs` lists them, `cutfarm cancel \(words)` ends them."
    }
}
