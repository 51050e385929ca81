import Client
import CompositionModel
import Foundation
import Timing
import WireProtocol

/// A folder each of whose complete files becomes a job. One that is refused stops no other.
struct WatchedFolder: Sendable {
    let look: FolderLook
    let connection: CoordinatorConnection
    /// Submits one file. The same bytes give the same jobs again; another round gives others.
    let submit: @Sendable (_ file: FoundFile, _ round: Int) async throws -> [JobView]
    /// The digest of a file's bytes; nil when it cannot be told.
    let contents: @Sendable (FoundFile) async -> ContentDigest?
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
        var progress = Progress(
            ledger: ledger,
            settled: settled,
            renames: RenamedFiles(folder: look.folder),
            waiting: WaitingFiles(interval: interval),
            stopwatch: Stopwatch(on: connection.clock)
        )
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
    struct Progress {
        var ledger: WatchLedger
        var settled: SettledFiles
        let renames: RenamedFiles
        /// The names that files were given by renaming, of which no look has told yet.
        var renamed: Set<String> = []
        var waiting: WaitingFiles
        var turn = 0
        /// Whether every file was dealt with at the last look.
        var isIdle = false
        /// The time since the start by the clock of the pauses.
        let stopwatch: Stopwatch
    }

    /// Looks once: submits what is complete, and follows the jobs.
    private func step(_ progress: inout Progress) async throws {
        progress.isIdle = false
        // Before the look, which then sees all of them.
        progress.renamed.formUnion(progress.renames.take())
        let seen = try look.files()
        let files = seen.map(\.file)
        let now = Int64(progress.stopwatch.elapsed / .milliseconds(1))
        let complete = progress.settled.note(seen, renamed: progress.renamed, at: now).filter {
            !progress.ledger.knows($0)
        }
        progress.renamed = []
        let trouble = try await take(complete, &progress)
        try await follow(&progress.ledger, progress.turn)
        progress.turn += 1
        let names = Set(files.map(\.name))
        try progress.ledger.forget(allBut: names)
        progress.waiting.forget(allBut: names)
        progress.isIdle = Self.isIdle(files, progress.ledger)
        if let trouble { throw trouble }
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
    func end(_ entry: WatchLedger.Entry, _ report: WatchReport, _ ledger: inout WatchLedger) throws {
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
