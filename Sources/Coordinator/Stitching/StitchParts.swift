import Farm
import Storage
import WireProtocol

/// The accepted parts of a job, linked into one folder in the order of the timeline.
struct StitchParts: Sendable {
    /// Holds the files below while the child reads them.
    let folder: ScratchFolder
    let pictures: [String]
    let sounds: [String]
    /// The length of all parts together, in bytes.
    let byteCount: Int64

    /// Gathers the parts. Each is read once to see that it has not rotted.
    /// - Throws: ``StorageError`` `missing` or `wrongDigest` for a part that is gone or has changed; ``FarmStoreError``.
    init(of job: JobID, store: any FarmStore, artifacts: ArtifactStore) async throws {
        let tasks = try await store.tasks(of: job).filter { [.picture, .sound].contains($0.kind) }
        let digests = try tasks.map { task in
            guard let digest = task.artifact else { throw StorageError.missing("task \(task.id)") }
            return digest
        }
        let (folder, paths) = try await readingWhole { try artifacts.gather(digests) }
        byteCount = try await blocking { digests.compactMap { artifacts.byteCount(of: $0) }.reduce(0, +) }
        self.folder = folder
        pictures = zip(tasks, paths).filter { $0.0.kind == .picture }.map(\.1)
        sounds = zip(tasks, paths).filter { $0.0.kind == .sound }.map(\.1)
    }
}
