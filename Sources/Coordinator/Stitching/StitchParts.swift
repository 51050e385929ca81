import CompositionModel
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
    /// The digests of all parts.
    let digests: Set<ContentDigest>

    /// Some accepted parts are gone or have rotted.
    struct Lost: Error {
        /// All of them.
        let digests: [ContentDigest]
    }

    /// Gathers the parts. Each is read once to see that it has not rotted.
    /// - Throws: ``Lost`` for parts that are gone or have changed; other ``StorageError``; ``FarmStoreError``.
    init(of job: JobID, store: any FarmStore, artifacts: ArtifactLibrary) async throws {
        let tasks = try await store.tasks(of: job).filter { [.picture, .sound].contains($0.kind) }
        let digests = try tasks.map { task in
            guard let digest = task.artifact else { throw StorageError.missing("task \(task.id)") }
            return digest
        }
        let (folder, paths) = try await StitchParts.gather(digests, artifacts)
        self.digests = Set(digests)
        byteCount = try await artifacts.totalByteCount(of: digests)
        self.folder = folder
        pictures = zip(tasks, paths).filter { $0.0.kind == .picture }.map(\.1)
        sounds = zip(tasks, paths).filter { $0.0.kind == .sound }.map(\.1)
    }

    private static func gather(
        _ digests: [ContentDigest],
        _ artifacts: ArtifactLibrary
    ) async throws
        -> (folder: ScratchFolder, paths: [String])
    {
        do {
            return try await artifacts.gather(digests)
        } catch let error as StorageError where error.isLoss {
            // All that are lost are rendered again at once, and not one after the other.
            var lost: [ContentDigest] = []
            for digest in digests where try await !artifacts.isIntact(digest) { lost.append(digest) }
            throw lost.isEmpty ? error : Lost(digests: lost)
        }
    }
}
