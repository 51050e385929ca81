import ArgumentParser
import CompositionModel
import EditLanguage
import Ingest

struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Say what is in a media file, exactly: streams, frames, keyframes, edit lists, colour."
    )

    @Argument(help: ArgumentHelp("Media files.", valueName: "file")) var files: [String]
    @OptionGroup var local: LocalMediaOptions

    @Flag(help: "JSON on standard output, one object a file.")
    var json = false

    func run() async throws {
        let probe = local.probe()
        var failures: [CommandFailure] = []
        for file in files {
            let asset: CompilerAsset
            do {
                asset = try await probe.facts(ofFile: file)
            } catch let failure as CommandFailure {
                // One bad file does not prevent the others from being probed.
                failures.append(failure)
                continue
            }
            if json {
                try JSONOutput.print(ProbedFile(file: file, digest: asset.digest, facts: asset.facts))
            } else {
                Console.print(FactsText.text(asset.facts, file: file, digest: asset.digest))
            }
        }
        guard let first = failures.first else { return }
        throw CommandFailure(first.status, lines: failures.flatMap(\.lines))
    }

    private struct ProbedFile: Encodable {
        let file: String
        let digest: ContentDigest
        let facts: AssetFacts
    }
}
