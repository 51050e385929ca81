import Client
import Foundation
import Shared

/// Submits many edits, one bad one never stopping the others, and sums up at the end.
struct BatchSubmission: Sendable {
    struct Defaults: Sendable {
        let priority: Int
        let isForced: Bool
        let watches: Bool
    }

    /// What became of the lines so far.
    private struct Tally {
        var submitted: [EditSubmitter.Submitted] = []
        var refused = 0
        var failed = 0
        /// Of the first thing that went wrong.
        var status = ExitStatus.success

        mutating func note(_ failure: CommandFailure) {
            if status == .success { status = failure.status }
        }
    }

    let connection: CoordinatorConnection
    let delivery: AssetDelivery
    let options: OutputOptions
    let replacements: [String]
    let defaults: Defaults
    let display: ProgressDisplay
    let json: Bool

    /// - Throws: ``CommandFailure`` with the summary when anything was refused or failed.
    func run(_ lines: [Manifest.Line]) async throws {
        var tally = Tally()
        for line in lines { try await submit(line, &tally, isOnly: lines.count == 1) }
        if defaults.watches { try await collect(&tally, isOnly: lines.count == 1) }
        guard lines.count > 1 else { return }
        let summary =
            "\(lines.count) lines: \(tally.submitted.count) jobs submitted, \(tally.refused) refused"
            + (defaults.watches ? ", \(tally.failed) failed" : "") + "."
        guard tally.status == .success else { throw CommandFailure(tally.status, summary) }
        Console.error(summary)
    }

    private func submit(_ line: Manifest.Line, _ tally: inout Tally, isOnly: Bool) async throws {
        do {
            let entry =
                switch line {
                case .bad(let sentence): throw CommandFailure(.usage, sentence)
                case .entry(let entry): entry
                }
            for submitted in try await submit(entry) {
                tally.submitted.append(submitted)
                announce(submitted, entry)
            }
        } catch {
            let failure = try recognised(error)
            // Without its coordinator no other line could be submitted either.
            guard !isOnly, failure.status != .unreachable, failure.status != .notAllowed else { throw failure }
            for line in failure.lines { Console.error(line) }
            tally.refused += 1
            tally.note(failure)
        }
    }

    private func submit(_ entry: ManifestEntry) async throws -> [EditSubmitter.Submitted] {
        let file = try EditFile.load(entry.edit, assets: replacements)
        guard let document = file.read.document else { return [] }
        var options = options
        if let preset = entry.preset { options.preset = preset }
        let planned = try PlannedOutput.list(
            document,
            preset: options.preset,
            destination: entry.output,
            isForced: defaults.isForced,
            needsFiles: defaults.watches
        )
        let submitter = EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: entry.priority ?? defaults.priority
        )
        return try await submitter.submit(file, outputs: planned, options: options)
    }

    private func announce(_ submitted: EditSubmitter.Submitted, _ entry: ManifestEntry) {
        guard !json else {
            if let data = try? WireJSON.encode(submitted.job) { Console.print(String(decoding: data, as: UTF8.self)) }
            return
        }
        Console.print("\(submitted.job.id)  \(entry.edit)")
    }

    private func collect(_ tally: inout Tally, isOnly: Bool) async throws {
        let watcher = JobWatcher(connection: connection, display: display)
        for submitted in tally.submitted {
            do {
                _ = try await watcher.deliver(submitted.job.id, to: submitted.output.file)
                if let path = submitted.output.file?.path { Console.error("Fetched \(path)") }
            } catch {
                let failure = try recognised(error)
                guard !isOnly, failure.status != .unreachable else { throw failure }
                for line in failure.lines { Console.error(line) }
                tally.failed += 1
                tally.note(failure)
            }
        }
    }

    private func recognised(_ error: any Error) throws -> CommandFailure {
        if error is CancellationError { throw error }
        guard let failure = error as? CommandFailure ?? CommandFailure(recognising: error) else { throw error }
        return failure
    }
}
