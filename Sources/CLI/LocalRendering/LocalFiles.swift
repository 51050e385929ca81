import Foundation
import Sandbox
import Shared
import Storage

/// The files of a task, as a render process gets them, and a folder for what it makes.
struct LocalFiles: Sendable {
    let sources: [SourceFile]
    let folder: ScratchFolder
    private let readable: [String]
    private let pictures: LocalPictures

    fileprivate init(of digests: [ContentDigest], _ pictures: LocalPictures, folder: ScratchFolder) async throws {
        (sources, readable) = try await pictures.sources(digests, scratch: folder.path)
        (self.folder, self.pictures) = (folder, pictures)
    }

    /// - Parameter stream: what may be written to beside the folder.
    @discardableResult
    func run(_ request: RenderRequest, writing stream: String? = nil) async throws -> RenderResult {
        try await pictures.run(request, readable: readable, writable: [folder.path] + (stream.map { [$0] } ?? []))
    }
}

extension LocalPictures {
    /// What `work` makes with the files of `digests`, whose folder goes away behind it.
    /// - Parameter command: names the folder.
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
