import ArgumentParser
import Foundation
import Ingest
import Sandbox
import Shared
import Storage

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
                asset = try await probe.asset(file, named: file)
            } catch let failure as CommandFailure {
                // One bad file of many keeps nobody from the others.
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

/// How commands look at media on this machine.
struct LocalMediaOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder where facts of files are remembered.", valueName: "folder"))
    var state: String?

    @Flag(help: "Open media also where the kernel offers no sandbox. Only for sources you trust.")
    var allowUnsandboxed = false

    func probe() -> LocalProbe {
        LocalProbe(
            process: RenderProcess(allowUnsandboxed: allowUnsandboxed),
            stateFolder: StateFolder.place(state)
        )
    }
}

extension LocalProbe {
    /// - Throws: ``CommandFailure`` that names the file.
    func asset(_ path: String, named name: String) async throws -> CompilerAsset {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw CommandFailure(.usage, "\(name): the file \(path) does not exist; correct the path.")
        }
        // A device or a pipe may have no end.
        guard about.st_mode & S_IFMT == S_IFREG else {
            let kind = about.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a device or a pipe"
            let what = name == path ? "\(path) is" : "\(name): \(path) is"
            throw CommandFailure(.usage, "\(what) \(kind); name a media file.")
        }
        do {
            return try await probe(path)
        } catch let error as RenderFailed {
            let failure = CommandFailure(error.failure)
            throw CommandFailure(failure.status, lines: failure.lines.map { "\(name): \($0)" })
        } catch let error as FileDigest.Unreadable {
            throw CommandFailure(.usage, "\(name): \(error)")
        }
    }
}
