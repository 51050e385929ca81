import Client
import CompositionModel
import EditLanguage
import Farm
import Foundation
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

    /// The outcome of the lines so far.
    private struct Tally {
        var submitted: [EditSubmitter.Submitted] = []
        /// The jobs of ``submitted`` that were followed to their end.
        var ended: Set<JobID> = []
        var refused = 0
        var failed = 0
        /// The exit status of the first failure.
        var status = ExitStatus.success

        /// Prints a failure, so that the other lines can go on.
        /// - Throws: The failure when it stops everything: an unreachable farm, or an interruption.
        mutating func note(_ failure: CommandFailure) throws {
            guard failure.status != .unreachable, failure.status != .interrupted else { throw failure }
            for line in failure.lines { Console.error(line) }
            if status == .success { status = failure.status }
        }

        /// Prints what is wrong with a line, so that the other lines can go on.
        /// - Throws: The failure when it stops everything: that of the only line, or a farm that does not accept the
        ///   token.
        mutating func refuse(_ error: any Error, _ isOnly: Bool) throws {
            let failure = try CommandFailure.recognised(error)
            // The jobs that a lone edit made before its failure are still followed.
            guard !isOnly || !submitted.isEmpty, failure.status != .notAllowed else { throw failure }
            try note(failure)
            refused += 1
        }

        /// The jobs that were not followed to their end.
        var running: [JobID] { submitted.map(\.job.id).filter { !ended.contains($0) } }
    }

    let connection: CoordinatorConnection
    let delivery: AssetDelivery
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

    /// A line that was read and can be submitted.
    private struct Prepared {
        let entry: ManifestEntry
        let place: String
        let file: EditFile
        let outputs: [PlannedOutput]
        let options: OutputOptions
        let conditions: JobConditions
        let deliveries: [Int: DeliveryOrder]
    }

    /// Reads all lines, then submits the valid ones.
    /// - Throws: ``CommandFailure`` with the summary when a line was refused or a job failed, or with the jobs that
    ///   still run when this task is cancelled.
    func run(_ lines: [Manifest.Line]) async throws {
        var tally = Tally()
        let isOnly = lines.count == 1
        do {
            let prepared = try await prepare(lines, &tally, isOnly)
            if prepared.count > 1 {
                try await submitTogether(prepared, &tally)
            } else {
                for line in prepared { try await submit(line, &tally, isOnly) }
            }
            if defaults.watches { try await collect(&tally) }
        } catch  where Task.isCancelled && !tally.running.isEmpty {
            throw CommandFailure(.interrupted, InterruptedWatch.sentence(tally.running))
        }
        guard !isOnly else {
            // The failures have been printed already.
            guard tally.status == .success else { throw CommandFailure(tally.status) }
            return
        }
        let summary =
            "\(lines.count) lines: \(Count.of(tally.submitted.count, "job")) submitted, \(tally.refused) refused"
            + (defaults.watches ? ", \(tally.failed) failed" : "") + "."
        guard tally.status == .success else { throw CommandFailure(tally.status, summary) }
        Console.error(summary)
    }

    private func prepare(
        _ lines: [Manifest.Line],
        _ tally: inout Tally,
        _ isOnly: Bool
    ) async throws -> [Prepared] {
        var (claims, targetClaims) = (OutputClaims(), TargetClaims())
        var prepared: [Prepared] = []
        for line in lines {
            do {
                if let good = try await prepare(line, &claims, &targetClaims) { prepared.append(good) }
            } catch {
                try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
            }
        }
        return prepared
    }

    /// Reads and checks one line.
    /// - Returns: nil when there is nothing to submit.
    private func prepare(
        _ line: Manifest.Line,
        _ claims: inout OutputClaims,
        _ targetClaims: inout TargetClaims
    ) async throws -> Prepared? {
        let (entry, place) =
            switch line {
            case .bad(let sentence): throw CommandFailure(.usage, sentence)
            case .entry(let entry, let place): (entry, place)
            }
        var options = options.of(entry)
        let conditions = try await entry.terms.filled(from: defaults.terms).conditions(on: connection)
        let file = try await load(entry, preset: options.preset)
        options = options.named(by: entry.output, for: file.read.document)
        if let note = options.smartNote(for: file.read.document) { Console.error("\(place): \(note)") }
        try await file.checkBeforeSending(probe, options: options, farm: connection)
        guard let document = file.read.document else { return nil }
        let compiled = try await file.outputsFollowingSources(probe, options: options, farm: connection)
        for words in (compiled ?? []).compactMap(\.matchWords) { Console.error("\(place): the output \(words).") }
        let outputs = try PlannedOutput.list(
            document,
            title: file.title,
            preset: options.preset,
            destination: entry.output,
            isForced: defaults.isForced,
            needsFiles: defaults.watches,
            compiled: compiled
        )
        try file.protect(from: outputs.compactMap { $0.file?.path })
        // Without --watch no movie is written here, and a name in the edit is only a proposal.
        if defaults.watches || entry.output != nil { try claims.claim(outputs.compactMap(\.path), place: place) }
        var targets = try TargetNames(
            to: entry.to ?? defaults.to,
            replaces: entry.replace ?? defaults.replaces,
            title: entry.title ?? file.title
        )
        targets.day = entry.day
        let deliveries = try targets.orders(for: document, preset: options.preset, compiled: compiled)
        try targetClaims.claim(deliveries, place: place)
        return Prepared(
            entry: entry,
            place: place,
            file: file,
            outputs: outputs,
            options: options,
            conditions: conditions,
            deliveries: deliveries
        )
    }

    /// Reads the edit of a line, or makes the one that shows its media file.
    private func load(_ entry: ManifestEntry, preset: String?) async throws -> EditFile {
        if entry.isMedia { return try await MediaFileInput(entry.edit, probe: probe).wholeEdit() }
        return try EditFile.load(
            entry.edit,
            assets: replacements + entry.assets,
            parameters: parameters(of: entry),
            preset: preset
        )
    }

    /// The values of `params` as `name=value`: the command's, but for those that the line names.
    private func parameters(of entry: ManifestEntry) -> [String] {
        let own = entry.parameters
        return parameters.filter { own[String($0.prefix { $0 != "=" })] == nil }
            + own.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    }

    private func submit(_ line: Prepared, _ tally: inout Tally, _ isOnly: Bool) async throws {
        do {
            try await submitter(line).submit(
                line.file,
                outputs: line.outputs,
                options: line.options,
                row: row(of: line)
            ) { submitted in
                tally.submitted.append(submitted)
                announce(submitted, line.entry)
            }
        } catch {
            try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
        }
    }

    /// What names a line that may be submitted again.
    private func row(of line: Prepared) -> String? {
        guard defaults.isRepeatable else { return nil }
        return rowPrefix + (line.deliveries[0]?.to ?? line.entry.output ?? line.entry.edit)
    }

    private func submitter(_ line: Prepared) -> EditSubmitter {
        EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: line.entry.priority ?? defaults.priority,
            title: line.entry.title,
            conditions: line.conditions,
            deliveries: line.deliveries
        )
    }

    /// A submission of a line, ready to be sent.
    private struct Pending {
        let line: Prepared
        let ordered: EditSubmitter.Ordered
    }

    /// The bytes of edits from which a batch is sent.
    private static let batchBytes = 4 << 20

    /// Lines that were sent, and what came of each.
    private struct Sent {
        let lines: ArraySlice<Pending>
        let answers: [JobBatchAnswer]?
    }

    /// Sends the lines in batches, each of whose jobs is accepted or refused by itself. The farm plans one batch while the
    /// next one is made ready here.
    private func submitTogether(_ lines: [Prepared], _ tally: inout Tally) async throws {
        var refused: Set<String> = []
        try await withThrowingTaskGroup(of: [Sent].self) { group in
            var pending: [Pending] = []
            var byteCount = 0
            for line in lines {
                do {
                    for ordered in try await submitter(line).order(
                        line.file,
                        outputs: line.outputs,
                        options: line.options,
                        row: row(of: line)
                    ) {
                        pending.append(Pending(line: line, ordered: ordered))
                        byteCount += ordered.submission.editText.utf8.count
                    }
                } catch {
                    try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), false)
                }
                guard pending.count >= 100 || byteCount >= Self.batchBytes else { continue }
                if let sent = try await group.next() { try await note(sent, &refused, &tally) }
                group.addTask { [pending] in try await send(pending) }
                (pending, byteCount) = ([], 0)
            }
            if let sent = try await group.next() { try await note(sent, &refused, &tally) }
            try await note(send(pending), &refused, &tally)
        }
    }

    private func send(_ pending: [Pending]) async throws -> [Sent] {
        var sent: [Sent] = []
        for start in stride(from: 0, to: pending.count, by: JobBatch.mostJobs) {
            let part = pending[start..<min(start + JobBatch.mostJobs, pending.count)]
            sent.append(Sent(lines: part, answers: try await answers(part)))
        }
        return sent
    }

    /// Notes what came of lines, in their order.
    /// - Parameter refused: the places of the lines that were refused: one with several outputs is refused once.
    private func note(_ sent: [Sent], _ refused: inout Set<String>, _ tally: inout Tally) async throws {
        for part in sent {
            for (number, one) in part.lines.enumerated() {
                do {
                    let job = try await job(of: one, answer: part.answers.map { $0[number] })
                    var told: Set<Finding> = []
                    submitter(one.line).tell(job, one.line.file, &told)
                    let submitted = EditSubmitter.Submitted(job: job, output: one.ordered.output)
                    tally.submitted.append(submitted)
                    announce(submitted, one.line.entry)
                } catch {
                    let failure = try CommandFailure.recognised(error).placed(at: one.line.place)
                    guard refused.insert(one.line.place).inserted else {
                        try tally.note(failure)
                        continue
                    }
                    try tally.refuse(failure, false)
                }
            }
        }
    }

    /// What came of each, as the farm says; nil when it takes no batch like this, so that each is to be sent alone.
    private func answers(_ pending: ArraySlice<Pending>) async throws -> [JobBatchAnswer]? {
        let batch = JobBatch(jobs: pending.map(\.ordered.submission))
        do {
            let answers = try await RetrySchedule.farm(for: .seconds(20)).run(on: connection.clock) {
                try await connection.submit(batch)
            }
            return answers.count == pending.count ? answers : nil
        } catch let error as ClientError where !error.isTransient {
            switch error {
            // An earlier version, or one submission that fits into no batch: alone it is accepted, or says what is wrong.
            case .problem, .notUnderstood: return nil
            default: throw error
            }
        }
    }

    private func job(of pending: Pending, answer: JobBatchAnswer?) async throws -> JobView {
        if let job = answer?.job { return job }
        if let problem = answer?.problem { throw EditSubmitter.refusal(problem, of: pending.line.file) }
        return try await submitter(pending.line).send(pending.ordered.submission, of: pending.line.file)
    }

    private func announce(_ submitted: EditSubmitter.Submitted, _ entry: ManifestEntry) {
        if let onSubmitted { return onSubmitted(submitted.job) }
        guard !json else {
            try? JSONOutput.print(submitted.job)
            return
        }
        Console.print(onlyIDs ? "\(submitted.job.id)" : "\(submitted.job.id)  \(entry.edit)")
    }

    private func collect(_ tally: inout Tally) async throws {
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
                try tally.note(try CommandFailure.recognised(error))
                tally.failed += 1
            }
            tally.ended.insert(submitted.job.id)
        }
    }
}

extension OutputOptions {
    /// The options of one line: its own settings come before the command's.
    fileprivate func of(_ entry: ManifestEntry) -> OutputOptions {
        var options = self
        if let match = entry.match {
            (options.preset, options.match) = (PresetCatalog.matchName, match)
        } else if let preset = entry.preset {
            (options.preset, options.match) = (preset, nil)
        }
        if let smart = entry.smart { options.smart = smart }
        return options
    }
}

extension Manifest.Line {
    /// The place of the line; nil for a line whose sentence names it.
    fileprivate var place: String? {
        if case .entry(_, let place) = self { place } else { nil }
    }
}

extension CommandFailure {
    /// The failure with each line led by the place, unless it is there. A farm that is away or lets nobody in is about
    /// no line of a manifest.
    fileprivate func placed(at place: String?) -> CommandFailure {
        guard let place, status != .unreachable, status != .notAllowed else { return self }
        let lines = lines.map { $0.hasPrefix(place + ":") ? $0 : "\(place): \($0)" }
        return CommandFailure(status, lines: lines, findings: findings)
    }

    /// The failure that an error means.
    /// - Throws: `error` itself when it is a cancellation, or none that a command knows.
    static func recognised(_ error: any Error) throws -> CommandFailure {
        if error is CancellationError { throw error }
        if case .cancelled? = error as? ClientError { throw CancellationError() }
        guard let failure = error as? CommandFailure ?? CommandFailure(recognising: error) else { throw error }
        return failure
    }
}
