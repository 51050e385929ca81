import Client
import Foundation
import Timing
import WireProtocol

/// A folder each of whose complete files becomes a job. One that is refused stops no other.
struct WatchedFolder: Sendable {
    let look: FolderLook
    let connection: CoordinatorConnection
    /// Submits one file.
    let submit: @Sendable (FoundFile) async throws -> [JobView]
    /// Where files go whose jobs were completed, and those that failed or were refused; nil leaves them where they are.
    let done: String?
    let failed: String?
    /// The time between two looks.
    let interval: Duration
    /// Whether it ends once every file that is there now is done.
    let once: Bool

    /// The most jobs that are asked for at one look.
    private static let mostJobs = 200

    /// Looks until it is cancelled.
    /// - Throws: ``CommandFailure`` when the folder cannot be read at the start, or the farm does not accept the token;
    ///   `CancellationError`.
    func run(_ ledger: WatchLedger, _ settled: SettledFiles) async throws {
        _ = try look.files()
        var progress = Progress(ledger: ledger, settled: settled, stopwatch: Stopwatch(on: connection.clock))
        var lastTrouble = ""
        while true {
            let trouble = try await trouble { () async throws in try await step(&progress) }
            if progress.isIdle, once { return }
            if let trouble, trouble != lastTrouble { Console.error("\(trouble) Trying again.") }
            lastTrouble = trouble ?? ""
            try await connection.clock.sleep(for: interval)
        }
    }

    /// What is known from one look to the next.
    private struct Progress {
        var ledger: WatchLedger
        var settled: SettledFiles
        var turn = 0
        /// How often the farm could not take a file yet, by its name.
        var attempts: [String: Int] = [:]
        /// Whether every file was dealt with at the last look.
        var isIdle = false
        /// The time since the start by the clock of the pauses.
        let stopwatch: Stopwatch
    }

    /// Looks once: submits what is complete, and follows the jobs.
    private func step(_ progress: inout Progress) async throws {
        progress.isIdle = false
        let seen = try look.files()
        let files = seen.map(\.file)
        let now = Int64(progress.stopwatch.elapsed / .milliseconds(1))
        let complete = progress.settled.note(seen, at: now).filter { !progress.ledger.knows($0) }
        let trouble = try await take(complete, &progress)
        try await follow(&progress.ledger, progress.turn)
        progress.turn += 1
        try progress.ledger.forget(allBut: Set(files.map(\.name)))
        progress.isIdle = Self.isIdle(files, progress.ledger)
        if let trouble { throw trouble }
    }

    /// Submits complete files, those first that were tried least often. A fault stops only the file that met it; when the farm
    /// has no room, the others wait too.
    /// - Returns: the first failure that may pass.
    /// - Throws: that the farm does not answer or lets nobody in.
    private func take(_ files: [FoundFile], _ progress: inout Progress) async throws -> CommandFailure? {
        func order(_ file: FoundFile) -> (Int, String) { (progress.attempts[file.name] ?? 0, file.name) }
        var trouble: CommandFailure?
        for file in files.sorted(by: { order($0) < order($1) }) {
            do {
                try await take(file, &progress.ledger)
                progress.attempts[file.name] = nil
            } catch {
                let failure = try CommandFailure.recognised(error)
                guard ![.unreachable, .notAllowed, .interrupted].contains(failure.status) else { throw failure }
                progress.attempts[file.name, default: 0] += 1
                trouble = trouble ?? failure
                if failure.status != .internalError { break }
            }
        }
        return trouble
    }

    /// Why a look came to no end: the farm, or the folder's machine, is away. It goes on when they are back.
    /// - Throws: what does not pass by itself.
    private func trouble(_ step: () async throws -> Void) async throws -> String? {
        do {
            try await step()
            return nil
        } catch {
            let failure = try CommandFailure.recognised(error)
            guard failure.status != .notAllowed, failure.status != .interrupted else { throw failure }
            return failure.lines.joined(separator: " ")
        }
    }

    /// Whether every file was dealt with.
    private static func isIdle(_ files: [FoundFile], _ ledger: WatchLedger) -> Bool {
        ledger.followed.isEmpty && files.allSatisfy { ledger.knows($0) || $0.byteCount == 0 }
    }

    /// Submits a file, and notes what came of it.
    /// - Throws: the failure that is not the file's own.
    private func take(_ file: FoundFile, _ ledger: inout WatchLedger) async throws {
        do {
            let jobs = try await submit(file)
            // Who writes to it after all has it submitted again as it is then.
            try ledger.note(WatchLedger.Entry(file: file, jobs: jobs.map(\.id)))
            for job in jobs { Console.print("\(job.id)  \(file.name.visible)") }
        } catch {
            let failure = try CommandFailure.recognised(error)
            let isOfTheFarm = [.unreachable, .notAllowed, .interrupted, .noSpace, .internalError].contains(
                failure.status
            )
            guard !isOfTheFarm, !failure.mayPass else { throw failure }
            Console.error(failure.lines.joined(separator: "\n"))
            try end(WatchLedger.Entry(file: file), WatchReport(refusal: failure.lines, of: file), &ledger)
        }
    }

    /// Looks after the jobs that have not ended.
    /// - Parameter turn: the number of the look: beyond ``mostJobs`` they are looked after in turns.
    private func follow(_ ledger: inout WatchLedger, _ turn: Int) async throws {
        let followed = ledger.followed
        let start = followed.isEmpty ? 0 : turn * Self.mostJobs % followed.count
        for entry in (followed[start...] + followed[..<start]).prefix(Self.mostJobs) {
            guard let jobs = try await jobs(of: entry) else {
                try end(
                    entry,
                    WatchReport(refusal: ["The farm does not know its job any more."], of: entry.file),
                    &ledger
                )
                continue
            }
            guard jobs.allSatisfy(\.isSettled) else { continue }
            let report = WatchReport(jobs: jobs, of: entry.file)
            Console.print("\(entry.file.name.visible): \(report.summary.visible)")
            try end(entry, report, &ledger)
        }
    }

    /// - Returns: nil when the farm does not know one of them.
    private func jobs(of entry: WatchLedger.Entry) async throws -> [JobView]? {
        var jobs: [JobView] = []
        for id in entry.jobs {
            guard let job = try await job(id) else { return nil }
            jobs.append(job)
        }
        return jobs
    }

    /// - Returns: nil for a job that the farm does not know.
    private func job(_ id: JobID) async throws(ClientError) -> JobView? {
        do {
            return try await connection.job(id)
        } catch {
            guard case .problem(let problem) = error, problem.status == 404 else { throw error }
            return nil
        }
    }

    /// Writes the report beside the file, and moves both where they go.
    private func end(_ entry: WatchLedger.Entry, _ report: WatchReport, _ ledger: inout WatchLedger) throws {
        var entry = entry
        entry.isDone = true
        let path = look.folder + "/" + entry.file.name
        do {
            if let target = report.isGood ? done : failed {
                let archive = ArchiveFolder(path: target)
                // What was written since is another file.
                let isSame = look.found(entry.file.name) == entry.file
                try archive.take(isSame ? path : nil, named: entry.file.name, report: Data(report.text.utf8))
            } else {
                try Data(report.text.utf8).write(
                    to: URL(fileURLWithPath: path + ArchiveFolder.reportEnding),
                    options: .atomic
                )
            }
        } catch {
            Console.error("\(path): its report cannot be written, or it cannot be moved: \(error.localizedDescription)")
        }
        try ledger.note(entry)
    }
}

extension JobView {
    /// Whether nothing more happens to it by itself.
    fileprivate var isSettled: Bool {
        guard state == .completed, let delivery else { return state.isFinal }
        return delivery.delivered != nil
    }
}
