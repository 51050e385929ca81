import Client
import CompositionModel
import EditLanguage
import Ingest
import WireProtocol

/// Submits many edits, none of which stops the others when it is bad, and sums up at the end.
struct BatchSubmission: Sendable {
    /// The settings of lines that do not set them.
    struct Defaults: Sendable {
        let priority: Int
        var terms = JobTerms()
        /// Where the coordinator puts movies by itself.
        var to: String?
        /// Whether the coordinator replaces files that are there.
        var replaces = false
        let isForced: Bool
        /// Whether a line that was submitted before gives its job again.
        var isRepeatable = false
        let watches: Bool
    }

    let connection: CoordinatorConnection
    var delivery: AssetDelivery
    /// Probes the files of a refused edit, to find everything that is wrong with them.
    let probe: LocalProbe
    let options: OutputOptions
    let replacements: [String]
    var parameters: [String] = []
    let defaults: Defaults
    let display: ProgressDisplay
    let json: Bool
    /// What stands before the name of a line that may be submitted again, where lines come from several places.
    var rowPrefix = ""
    /// Called with each job in place of printing it.
    var onSubmitted: (@Sendable (JobView) -> Void)?
    /// Whether standard output has the jobs' identifiers and nothing else.
    var onlyIDs = false

    /// Reads all lines, and submits the valid ones meanwhile: what is wrong with a line is said before the media of the lines
    /// before it have been sent.
    /// - Throws: ``CommandFailure`` with the summary when a line was refused or a job failed, or with the jobs that
    ///   still run when this task is cancelled.
    func run(_ lines: [Manifest.Line]) async throws {
        let tally = BatchTally()
        let isOnly = lines.count == 1
        do {
            if isOnly {
                try await prepare(lines, tally, isOnly) { try await submit($0, tally) }
            } else {
                try await submitTogether(lines, tally)
            }
            if defaults.watches { try await collect(tally) }
        } catch  where Task.isCancelled && !isOnly && defaults.isRepeatable && !defaults.watches && onSubmitted == nil {
            // A batch may have been accepted whose answer did not come.
            let known = "\(tally.submitted.count) of \(lines.count) lines are known to be submitted"
            throw CommandFailure(.interrupted, "Interrupted. \(known); the same command again submits what is missing.")
        } catch  where Task.isCancelled && !tally.running.isEmpty {
            throw CommandFailure(.interrupted, InterruptedWatch.sentence(tally.running))
        }
        guard !isOnly else {
            // The failures have been printed already.
            if let failure = tally.failure { throw failure }
            return
        }
        let summary =
            "\(lines.count) lines: \(Count.of(tally.submitted.count, "job")) submitted, \(tally.refused) refused"
            + (defaults.watches ? ", \(tally.failed) failed" : "") + "."
        if let failure = tally.failure { throw CommandFailure(failure.status, summary) }
        Console.error(summary)
    }

    private func submitTogether(_ lines: [Manifest.Line], _ tally: BatchTally) async throws {
        let (prepared, continuation) = AsyncStream.makeStream(of: Prepared.self)
        let ready = Gathering<Pending>(mostElements: JobBatch.mostJobs, mostWeight: Self.batchBytes)
        var batch = self
        // Hours may pass before the line is ready whose media is sent, and a while before one is read that follows a source.
        batch.delivery.onWork = ready.release
        try await JointWork.run { [batch] in
            defer { continuation.finish() }
            try await batch.prepare(lines, tally, false) { continuation.yield($0) }
        } _: { [batch] in
            try await batch.submit(prepared, ready, tally)
        }
    }

    private func collect(_ tally: BatchTally) async throws {
        var watcher = JobWatcher(connection: connection, display: display)
        watcher.keepsPartialMovies = true
        for submitted in tally.submitted {
            do {
                _ = try await watcher.deliver(submitted.job.id, to: submitted.output.file)
                if let path = submitted.output.file?.path { Console.error("Fetched \(path)") }
                if let delivery = try await watcher.delivered(submitted.job) {
                    Console.error("Delivered \(delivery.to)")
                }
            } catch {
                try Task.checkCancellation()
                try tally.fail(try CommandFailure.recognised(error))
            }
            tally.end(submitted.job.id)
        }
    }
}
