import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import WireProtocol

/// Submits many edits, none of which stops the others when it is bad, and sums up at the end.
struct BatchSubmission: Sendable {
    /// The settings of lines that do not set them.
    struct Defaults: Sendable {
        let priority: Int
        let isForced: Bool
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

    /// A line that was read and can be submitted.
    private struct Prepared {
        let entry: ManifestEntry
        let place: String
        let file: EditFile
        let outputs: [PlannedOutput]
        let options: OutputOptions
    }

    /// Reads all lines, then submits the valid ones.
    /// - Throws: ``CommandFailure`` with the summary when a line was refused or a job failed, or with the jobs that
    ///   still run when this task is cancelled.
    func run(_ lines: [Manifest.Line]) async throws {
        var tally = Tally()
        let isOnly = lines.count == 1
        do {
            for line in try await prepare(lines, &tally, isOnly) { try await submit(line, &tally, isOnly) }
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
        var claims = OutputClaims()
        var prepared: [Prepared] = []
        for line in lines {
            do {
                if let good = try await prepare(line, &claims) { prepared.append(good) }
            } catch {
                try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
            }
        }
        return prepared
    }

    /// Reads and checks one line.
    /// - Returns: nil when there is nothing to submit.
    private func prepare(_ line: Manifest.Line, _ claims: inout OutputClaims) async throws -> Prepared? {
        let (entry, place) =
            switch line {
            case .bad(let sentence): throw CommandFailure(.usage, sentence)
            case .entry(let entry, let place): (entry, place)
            }
        var options = options.of(entry)
        let file = try EditFile.load(
            entry.edit,
            assets: replacements,
            parameters: parameters,
            preset: options.preset
        )
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
        return Prepared(entry: entry, place: place, file: file, outputs: outputs, options: options)
    }

    private func submit(_ line: Prepared, _ tally: inout Tally, _ isOnly: Bool) async throws {
        let submitter = EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: line.entry.priority ?? defaults.priority,
            title: line.entry.title
        )
        do {
            try await submitter.submit(line.file, outputs: line.outputs, options: line.options) { submitted in
                tally.submitted.append(submitted)
                announce(submitted, line.entry)
            }
        } catch {
            try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
        }
    }

    private func announce(_ submitted: EditSubmitter.Submitted, _ entry: ManifestEntry) {
        guard !json else {
            try? JSONOutput.print(submitted.job)
            return
        }
        Console.print("\(submitted.job.id)  \(entry.edit)")
    }

    private func collect(_ tally: inout Tally) async throws {
        var watcher = JobWatcher(connection: connection, display: display)
        watcher.keepsPartialMovies = true
        for submitted in tally.submitted {
            do {
                _ = try await watcher.deliver(submitted.job.id, to: submitted.output.file)
                if let path = submitted.output.file?.path { Console.error("Fetched \(path)") }
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
