import Client
import Foundation
import WireProtocol

/// Reads and prints the logs of a job's attempts.
struct LogReader {
    /// One line for machines.
    private struct Said: Encodable {
        let task: Int
        let attempt: AttemptID
        let at: Date
        let text: String
    }

    let connection: CoordinatorConnection
    let job: JobID
    /// The number of the only task that counts, from 1; nil takes those that failed or are under way.
    let number: Int?
    let json: Bool
    /// The lines of each attempt that are printed already.
    private var seen: [AttemptID: Int] = [:]
    private var isBegun = false

    init(connection: CoordinatorConnection, job: JobID, number: Int?, json: Bool) {
        (self.connection, self.job, self.number, self.json) = (connection, job, number, json)
    }

    /// Prints the lines that are new.
    /// - Parameter sentence: said on standard error when no attempt is of interest.
    /// - Throws: ``CommandFailure`` when the job has no such task; `ClientError`.
    mutating func readOnce(unlessAny sentence: String? = nil) async throws {
        let tasks = try await connection.tasks(of: job)
        if let number, !tasks.contains(where: { $0.position + 1 == number }) {
            throw CommandFailure(.usage, "Job \(job) has no task \(number); `cutfarm show \(job)` lists its tasks.")
        }
        var isAny = false
        for task in tasks where number == nil || task.position + 1 == number {
            for (index, attempt) in task.attempts.enumerated() where number != nil || isOfInterest(attempt) {
                isAny = true
                try await read(attempt, try: index + 1, of: task)
            }
        }
        if let sentence, !isAny { Console.error(number == nil ? sentence : "This task has no attempts yet.") }
    }

    /// Prints new lines until the job has ended.
    /// - Throws: as ``readOnce(unlessAny:)``; `CancellationError`.
    mutating func followToEnd() async throws {
        while true {
            let isFinal = try await connection.job(job).state.isFinal
            try await readOnce()
            if isFinal { return }
            try await connection.clock.sleep(for: .seconds(1))
        }
    }

    /// An attempt that was followed from its start is read to its end.
    private func isOfInterest(_ attempt: AttemptView) -> Bool {
        attempt.state == .live || attempt.failure != nil || seen[attempt.id] != nil
    }

    private mutating func read(_ attempt: AttemptView, try number: Int, of task: TaskView) async throws {
        let before = seen[attempt.id]
        let log: AttemptLog
        do throws(ClientError) {
            log = try await connection.log(of: attempt.id, after: before ?? 0)
        } catch {
            // Its job's history was removed since the tasks were listed.
            guard case .problem(let problem) = error, problem.status == 404 else { throw error }
            return
        }
        seen[attempt.id] = log.next
        if json {
            for line in log.lines {
                try JSONOutput.print(
                    Said(task: task.position + 1, attempt: attempt.id, at: line.at, text: line.text.visible)
                )
            }
            return
        }
        if before == nil || !log.lines.isEmpty { head(attempt, number, task) }
        for line in log.lines { Console.print("  \(Self.clock(line.at))  \(line.text.visible)") }
        if before == nil, log.lines.isEmpty { Console.print("  (nothing was said yet)") }
    }

    private mutating func head(_ attempt: AttemptView, _ number: Int, _ task: TaskView) {
        if isBegun { Console.print("") }
        isBegun = true
        let worker = attempt.workerName.visible
        let age = JobTable.age(of: attempt.ended ?? attempt.started, at: Date())
        let state = attempt.state == .live ? "started \(age)" : "\(attempt.state.rawValue) \(age)"
        Console.print("task \(task.position + 1) (\(task.kind.rawValue)) · try \(number) on \(worker) · \(state)")
    }

    /// The time of day in this machine's zone.
    private static func clock(_ date: Date) -> String {
        date.formatted(
            .verbatim(
                "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
                timeZone: .current,
                calendar: Calendar(identifier: .gregorian)
            )
        )
    }
}
