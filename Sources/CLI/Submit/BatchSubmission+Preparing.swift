import CompositionModel
import EditLanguage
import Foundation
import Ingest
import WireProtocol

extension BatchSubmission {
    /// A line that was read and can be submitted.
    struct Prepared: Sendable {
        let entry: ManifestEntry
        let place: String
        let file: EditFile
        let outputs: [PlannedOutput]
        let options: OutputOptions
        let conditions: JobConditions
        let deliveries: TargetNames.Orders
    }

    /// Reads and checks all lines; a bad one is noted and stops no other.
    /// - Parameter onPrepared: called with each good one, in their order.
    func prepare(
        _ lines: [Manifest.Line],
        _ tally: BatchTally,
        _ isOnly: Bool,
        _ onPrepared: (Prepared) async throws -> Void
    ) async throws {
        var (claims, targetClaims) = (OutputClaims(), TargetClaims())
        for line in lines {
            // Nobody sends the rest once the farm is away.
            try Task.checkCancellation()
            do {
                if let good = try await prepare(line, &claims, &targetClaims) { try await onPrepared(good) }
            } catch {
                try tally.refuse(try CommandFailure.recognised(error).placed(at: line.place), isOnly)
            }
        }
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
        if options.preset == PresetCatalog.matchName { delivery.onWork() }
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
        try targetClaims.claim(deliveries.today, place: place)
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
        if entry.isMedia {
            delivery.onWork()
            return try await MediaFileInput(entry.edit, probe: probe).wholeEdit()
        }
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
