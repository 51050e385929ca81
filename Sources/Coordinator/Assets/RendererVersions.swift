import CompositionModel
import Farm
import Sandbox
import WireProtocol

/// The versions of this coordinator's own renderer. A worker must have the same, or its segments would not have the
/// bytes that the others' have.
struct RendererVersions: Sendable {
    let renderer: InstalledRenderer

    /// Compares a worker's versions with the coordinator's.
    /// - Throws: ``Problem``: 503 when the coordinator's own renderer does not run, 409 `version_mismatch` saying what
    ///   differs.
    func check(_ registration: WorkerRegistration) async throws {
        let own = try await versions()
        guard registration.rendererVersion == own.renderer else {
            throw Problem.mismatch("renderer", theirs: "\(registration.rendererVersion)", ours: "\(own.renderer)")
        }
        for name in Set(own.libraries.keys).union(registration.libraries.keys).sorted() {
            let (ours, theirs) = (own.libraries[name] ?? "none", registration.libraries[name] ?? "none")
            guard ours == theirs else { throw Problem.mismatch(name, theirs: theirs, ours: ours) }
        }
    }

    /// The versions as tasks name them.
    /// - Throws: as ``versions()``.
    func pinned() async throws -> RenderVersions {
        let own = try await versions()
        return RenderVersions(renderer: own.renderer, libraries: own.libraries)
    }

    /// The version of the renderer, and those of its libraries by name.
    /// - Throws: ``Problem`` with 503 when the renderer does not run.
    func versions() async throws -> InstalledRenderer.Versions {
        do {
            return try await renderer.versions()
        } catch let error as RenderFailed {
            throw Problem.unavailable(error.failure.code, error.failure.message)
        }
    }
}

extension Problem {
    /// The problem of a worker with another version.
    fileprivate static func mismatch(_ what: String, theirs: String, ours: String) -> Problem {
        .conflict(
            "version_mismatch",
            "This worker has \(what) \(theirs) and the farm has \(ours); the bytes would differ, so install the same."
        )
    }
}
