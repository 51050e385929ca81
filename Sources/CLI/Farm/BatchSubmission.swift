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

        /// Says what is wrong with a line, and goes on with the others.
        /// - Throws: what stops all: the only line's failure, or a farm that lets nobody in.
        mutating func refuse(_ error: any Error, _ isOnly: Bool) throws {
            let failure = try CommandFailure.recognised(error)
            // Without its coordinator no other line could be submitted either.
            guard !isOnly, failure.status != .unreachable, failure.status != .notAllowed else { throw failure }
            for line in failure.lines { Console.error(line) }
            refused += 1
            note(failure)
        }

        mutating func taking<Value>(_ isOnly: Bool, _ read: () throws -> Value?) throws -> Value? {
            do {
                return try read()
            } catch {
                try refuse(error, isOnly)
                return nil
            }
        }
    }

    let connection: CoordinatorConnection
    let delivery: AssetDelivery
    let options: OutputOptions
    let replacements: [String]
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

    /// Reads all lines, then submits those that are good.
    /// - Throws: ``CommandFailure`` with the summary when anything was refused or failed.
    func run(_ lines: [Manifest.Line]) async throws {
        var tally = Tally()
        var claims = OutputClaims()
        let isOnly = lines.count == 1
        let prepared = try lines.compactMap { line in
            try tally.taking(isOnly) {
                do {
                    return try prepare(line, &claims)
                } catch {
                    throw try CommandFailure.recognised(error).placed(at: line.place)
                }
            }
        }
        for line in prepared { try await submit(line, &tally, isOnly) }
        if defaults.watches { try await collect(&tally, isOnly: isOnly) }
        guard !isOnly else { return }
        let summary =
            "\(lines.count) lines: \(tally.submitted.count) jobs submitted, \(tally.refused) refused"
            + (defaults.watches ? ", \(tally.failed) failed" : "") + "."
        guard tally.status == .success else { throw CommandFailure(tally.status, summary) }
        Console.error(summary)
    }

    private func prepare(_ line: Manifest.Line, _ claims: inout OutputClaims) throws -> Prepared? {
        let (entry, place) =
            switch line {
            case .bad(let sentence): throw CommandFailure(.usage, sentence)
            case .entry(let entry, let place): (entry, place)
            }
        let file = try EditFile.load(entry.edit, assets: replacements)
        try file.checkBeforeSending()
        guard let document = file.read.document else { return nil }
        var options = options
        if let preset = entry.preset { options.preset = preset }
        let outputs = try PlannedOutput.list(
            document,
            preset: options.preset,
            destination: entry.output,
            isForced: defaults.isForced,
            needsFiles: defaults.watches
        )
        // Without --watch nothing is written here, and what an edit names by itself is only a proposal.
        if defaults.watches || entry.output != nil { try claims.claim(outputs.compactMap(\.path), place: place) }
        return Prepared(entry: entry, place: place, file: file, outputs: outputs, options: options)
    }

    private func submit(_ line: Prepared, _ tally: inout Tally, _ isOnly: Bool) async throws {
        let submitter = EditSubmitter(
            connection: connection,
            delivery: delivery,
            priority: line.entry.priority ?? defaults.priority
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
                let failure = try CommandFailure.recognised(error)
                guard !isOnly, failure.status != .unreachable else { throw failure }
                for line in failure.lines { Console.error(line) }
                tally.failed += 1
                tally.note(failure)
            }
        }
    }
}

extension Manifest.Line {
    /// Where it stands; nil for what says so itself.
    fileprivate var place: String? {
        if case .entry(_, let place) = self { place } else { nil }
    }
}

extension CommandFailure {
    /// The same, each line led by the place of what it is about unless it is there. A farm that is away or lets nobody in
    /// is about no line of a manifest.
    fileprivate func placed(at place: String?) -> CommandFailure {
        guard let place, status != .unreachable, status != .notAllowed else { return self }
        let lines = lines.map { $0.hasPrefix(place + ":") ? $0 : "\(place): \($0)" }
        return CommandFailure(status, lines: lines, findings: findings)
    }

    /// - Throws: `error` itself when it is a cancellation, or none that a command knows.
    fileprivate static func recognised(_ error: any Error) throws -> CommandFailure {
        if error is CancellationError { throw error }
        guard let failure = error as? CommandFailure ?? CommandFailure(recognising: error) else { throw error }
        return failure
    }
}
