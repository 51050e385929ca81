import CompositionModel
import Foundation
import Sandbox
import Storage
import WireProtocol

/// The files of a task as a render process receives them, and a folder for its output.
struct LocalFiles: Sendable {
    let sources: LocalSources.Opened
    let folder: ScratchFolder
    private let renderer: LocalRenderer

    fileprivate init(of digests: [ContentDigest], _ rendering: LocalRendering, folder: ScratchFolder) async throws {
        sources = try await rendering.sources.open(digests, scratch: folder.path)
        (self.folder, renderer) = (folder, rendering.renderer)
    }

    /// Runs a request that reads these files and writes to the folder.
    /// - Parameter stream: a device or pipe that it may write to as well; nil for none.
    /// - Throws: as ``LocalRenderer/run(_:readable:writable:onProgress:onStill:say:)``.
    @discardableResult
    func run(_ request: RenderRequest, writing stream: String? = nil) async throws -> RenderResult {
        let writable = [folder.path] + (stream.map { [$0] } ?? [])
        return try await renderer.run(request, readable: sources.readable, writable: writable)
    }
}

extension LocalRendering {
    /// Opens the assets of a task, and removes the folder when `work` ends.
    /// - Parameters:
    ///   - digests: the assets, in the order in which the task names them.
    ///   - command: the command's name, which becomes part of the folder's.
    /// - Throws: as ``LocalSources/open(_:scratch:)``; `StorageError` when no folder can be made; what `work` throws.
    func withFiles<Value>(
        of digests: [ContentDigest],
        for command: String,
        _ work: (LocalFiles) async throws -> Value
    ) async throws -> Value {
        let parent = FileManager.default.temporaryDirectory.path
        let folder = try ScratchFolder(below: parent, named: "cutfarm-\(command)-")
        defer { withExtendedLifetime(folder) {} }
        return try await work(LocalFiles(of: digests, self, folder: folder))
    }
}
