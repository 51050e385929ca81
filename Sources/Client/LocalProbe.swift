import Foundation
public import Sandbox
public import Shared

/// Facts of local files without a farm: probed in a sandboxed child, remembered by digest.
public struct LocalProbe: Sendable {
    private let process: RenderProcess
    private let ledger: AssetLedger
    private let folder: String

    /// Finds the fonts of this machine.
    public var fonts: FontFinder { FontFinder(process: process) }

    /// - Parameter stateFolder: facts go to `facts` below it.
    public init(process: RenderProcess, stateFolder: String) {
        self.process = process
        ledger = AssetLedger(stateFolder: stateFolder)
        folder = stateFolder + "/facts"
    }

    /// A sequence of numbered pictures, as the movie that it is sent as.
    /// - Throws: as ``probe(_:)``, and ``ImageSequence/Refusal``.
    public func probe(sequence pattern: String, at rate: FrameRate) async throws -> CompilerAsset {
        try await probe(ledger.movie(of: pattern, at: rate))
    }

    /// - Throws: `RenderFailed` with the sentence that says what is wrong with the file; `FileDigest.Unreadable`.
    public func probe(_ path: String) async throws -> CompilerAsset {
        let digest = try await ledger.digest(of: path)
        let entry = folder + "/\(AssetFacts.currentVersion)-\(digest.hex).json"
        if let data = FileManager.default.contents(atPath: entry),
            let facts = try? JSONDecoder().decode(AssetFacts.self, from: data)
        {
            return CompilerAsset(digest: digest, facts: facts)
        }
        let facts = try await run(path)
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? JSONEncoder().encode(facts).write(to: URL(fileURLWithPath: entry), options: .atomic)
        return CompilerAsset(digest: digest, facts: facts)
    }

    private func run(_ path: String) async throws -> AssetFacts {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cutfarm-probe-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var about = stat()
        guard stat(path, &about) == 0 else { throw RenderFailed(.gone(path)) }
        let source = SourceFile(path: path, byteCount: Int64(about.st_size), isComplete: true)
        let outcome = try await process.run(
            .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
            readable: [path],
            writable: [scratch.path]
        )
        guard case .probe(let facts, _) = outcome.result else { throw RenderFailed(.gone(path)) }
        return facts
    }
}

extension Failure {
    fileprivate static func gone(_ path: String) -> Failure {
        Failure(code: "asset_unreadable", message: "\(path) went away while it was read.", isPermanent: false)
    }
}
