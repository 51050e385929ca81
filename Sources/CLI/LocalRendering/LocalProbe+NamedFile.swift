import EditLanguage
import Foundation
import Ingest
import Sandbox
import Storage

extension LocalProbe {
    /// Probes a media file that the user named.
    /// - Throws: ``CommandFailure`` that names the file when it is missing, no regular file, or no media that can be
    ///   used; `CancellationError`.
    func facts(ofFile path: String) async throws -> CompilerAsset {
        var about = stat()
        guard stat(path, &about) == 0 else {
            throw CommandFailure(.usage, "\(path): the file \(path) does not exist; correct the path.")
        }
        // A device or a pipe may never end.
        guard about.st_mode & S_IFMT == S_IFREG else {
            let kind = about.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a device or a pipe"
            throw CommandFailure(.usage, "\(path) is \(kind); name a media file.")
        }
        do {
            return try await probe(path)
        } catch let error as RenderFailed {
            let failure = CommandFailure(error.failure)
            throw CommandFailure(failure.status, lines: failure.lines.map { "\(path): \($0)" })
        } catch let error as FileDigest.Unreadable {
            throw CommandFailure(.usage, "\(path): \(error)")
        }
    }
}
