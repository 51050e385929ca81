import Client
import Foundation
import Ingest
import Sandbox
import WireProtocol

/// Plain media files that a farm encodes with a preset, each as a job of its own.
struct FarmExport: Sendable {
    let files: [String]
    let outputs: OutputOptions
    let defaults: BatchSubmission.Defaults
    /// Where the movies are written here: a folder, or a name with places that each file fills; nil fetches none.
    let output: String?
    let json: Bool

    /// Submits all files.
    /// - Throws: as ``BatchSubmission/run(_:)``.
    func run(on connection: CoordinatorConnection, stateFolder: String, allowUnsandboxed: Bool) async throws {
        let process = RenderProcess(allowUnsandboxed: allowUnsandboxed)
        let batch = BatchSubmission(
            connection: connection,
            delivery: AssetDelivery(
                connection: connection,
                ledger: AssetLedger(stateFolder: stateFolder),
                sharesHost: false
            ),
            probe: LocalProbe(process: process, stateFolder: stateFolder),
            options: outputs,
            replacements: [],
            defaults: defaults,
            display: ProgressDisplay(json: json, quiet: files.count > 1),
            json: json
        )
        let lines = files.map { file in
            var entry = ManifestEntry(edit: file, output: output, title: (file as NSString).lastPathComponent)
            entry.isMedia = true
            return Manifest.Line.entry(entry, place: file)
        }
        try await Interruptible.run { try await batch.run(lines) }
    }
}
