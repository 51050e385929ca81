import CompositionModel
import Foundation
import Sandbox
import WireProtocol

extension RenderProcess {
    /// Probes a local file in the sandbox.
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - use: takes the facts, the paths of the frame indexes by stream index, and the folder that holds them; the
    ///     folder is removed afterwards.
    /// - Throws: `RenderFailed` with a sentence when the file is no media that can be used; `CocoaError` when no folder
    ///   can be made; `CancellationError`; what `use` throws.
    func probe<Value>(
        _ path: String,
        use: (_ facts: AssetFacts, _ indexes: [Int: String], _ folder: String) throws -> Value
    ) async throws -> Value {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "cutfarm-probe-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        var about = stat()
        guard stat(path, &about) == 0 else { throw RenderFailed(.gone(path)) }
        let source = SourceFile(path: path, byteCount: Int64(about.st_size), isComplete: true)
        let outcome = try await run(
            .probe(ProbeRequest(source: source, outputFolder: scratch.path)),
            within: RenderLimits(probing: source.byteCount),
            readable: [path],
            writable: [scratch.path]
        )
        guard case .probe(let facts, let indexes) = outcome.result else { throw RenderFailed(.gone(path)) }
        return try use(facts, indexes, scratch.path)
    }
}

extension Failure {
    fileprivate static func gone(_ path: String) -> Failure {
        Failure(code: "asset_unreadable", message: "\(path) went away while it was read.", isPermanent: false)
    }
}
