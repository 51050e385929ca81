import Client
import CompositionModel
import Foundation
import Timing
import WireProtocol

extension WatchedFolder {
    /// Submits complete files, those first that were tried least often. A fault, and a target or an audit that has to
    /// wait, stop only the file that met it; when the farm has no room, the others wait too.
    /// - Returns: the failure that stops all files until the next look; nil for none.
    /// - Throws: that the farm does not answer or lets nobody in.
    func take(_ files: [FoundFile], _ progress: inout Progress) async throws -> CommandFailure? {
        let start = progress.stopwatch.elapsed
        func order(_ file: FoundFile) -> (Int, String) { (progress.waiting.attempts(file), file.name) }
        for file in files.filter({ progress.waiting.isDue($0, at: start) }).sorted(by: { order($0) < order($1) }) {
            do {
                try await take(file, &progress.ledger)
                progress.waiting.end(file.name)
            } catch {
                let failure = try CommandFailure.recognised(error)
                guard ![.unreachable, .notAllowed, .interrupted].contains(failure.status) else { throw failure }
                guard failure.status == .internalError || failure.status == .conflict else {
                    progress.waiting.note(file)
                    return failure
                }
                let sentence = failure.lines.joined(separator: " ")
                // The pause begins when the attempt ends. The upload, or that of a file before, may have taken hours.
                let end = progress.stopwatch.elapsed
                if progress.waiting.delay(file, sentence, at: end) { Console.error("\(sentence) Trying again.") }
            }
        }
        return nil
    }

    /// Submits a file, and notes what came of it.
    /// - Throws: the failure that is not the file's own.
    private func take(_ file: FoundFile, _ ledger: inout WatchLedger) async throws {
        do {
            try await withdrawEarlier(than: file, &ledger)
            let jobs = try await jobs(of: file, ledger)
            // Who writes to it after all has it submitted again as it is then.
            let digest = await digest(of: file)
            try ledger.note(WatchLedger.Entry(file: file, jobs: jobs.map(\.id), digest: digest))
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

    /// The digest of a file's bytes. Another version may have taken its place since it was submitted, or takes it while
    /// the bytes are read; with that one's digest it would count for the same, and cancel nothing.
    /// - Returns: nil when the folder has another version now, or the digest cannot be told.
    private func digest(of file: FoundFile) async -> ContentDigest? {
        guard look.found(file.name) == file else { return nil }
        let digest = await contents(file)
        return look.found(file.name) == file ? digest : nil
    }

    /// Submits a file. The farm gives the job that it made of the same bytes before; when that was cancelled since
    /// another version of the file took its place, and the first is back, another job is made. A job that somebody
    /// else cancelled stays the job of a file whose name is not known.
    private func jobs(of file: FoundFile, _ ledger: WatchLedger) async throws -> [JobView] {
        let isNew = ledger.entries[file.name] == nil
        var round = 0
        while true {
            let jobs = try await submit(file, round)
            let cancelled = jobs.filter { $0.state == .cancelled }
            guard cancelled.contains(where: { !isNew || ledger.isWithdrawn($0.id) }) else { return jobs }
            round += 1
        }
    }

    /// Cancels the unfinished jobs of the version of a file that was replaced by this one: of two movies with one
    /// target the newer wins. A file with another time of change and the same bytes keeps its jobs.
    private func withdrawEarlier(than file: FoundFile, _ ledger: inout WatchLedger) async throws {
        guard var earlier = ledger.entries[file.name], earlier.isFollowed else { return }
        if let digest = earlier.digest, await contents(file) == digest { return }
        // It is noted before, so that it is known also when this command ends between the two.
        try ledger.withdraw(earlier.jobs)
        for id in earlier.jobs {
            guard try await cancel(id) else { continue }
            Console.print("\(id)  \(file.name.visible) was replaced; the job of its earlier version is cancelled.")
        }
        earlier.isWithdrawn = true
        try ledger.note(earlier)
    }

    /// Cancels a job.
    /// - Returns: whether it is cancelled now; one that has ended stays as it is, and so does one that is unknown, or
    ///   another owner's.
    private func cancel(_ id: JobID) async throws(ClientError) -> Bool {
        do {
            return try await connection.cancel(id).state == .cancelled
        } catch {
            guard case .problem(let problem) = error, [403, 404].contains(problem.status) else { throw error }
            return false
        }
    }
}
