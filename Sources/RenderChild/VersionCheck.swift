import CompositionModel
import Media
import Planning
import Subtitles
import Titles

/// Whether this program gives the bytes that a task is for.
enum VersionCheck {
    struct Mismatch: FailureConvertible {
        let failure: Failure
    }

    /// What could change a byte of a result beside our own code, by library.
    static let libraries = LibraryVersions.all.merging(TextLibraries.versions) { media, _ in media }
        .merging(SubtitleLibrary.versions) { known, _ in known }

    /// - Parameter libraries: nil for a task that names none.
    /// - Throws: ``Mismatch`` with the first difference. Not permanent: another worker may have them.
    static func require(renderer: Int, libraries: [String: String]?) throws {
        guard renderer == Renderer.version else { throw mismatch("renderer", "\(renderer)", "\(Renderer.version)") }
        guard let libraries, libraries != VersionCheck.libraries else { return }
        for name in Set(libraries.keys).union(VersionCheck.libraries.keys).sorted() {
            let (theirs, ours) = (libraries[name] ?? "none", VersionCheck.libraries[name] ?? "none")
            if theirs != ours { throw mismatch(name, theirs, ours) }
        }
    }

    private static func mismatch(_ what: String, _ theirs: String, _ ours: String) -> Mismatch {
        Mismatch(
            failure: Failure(
                code: "version_mismatch",
                message:
                    "The job was planned for \(what) \(theirs) and this machine has \(ours); the bytes would differ, "
                    + "so install the same, or submit the job again.",
                isPermanent: false
            )
        )
    }
}
