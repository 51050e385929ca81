import Foundation
import Storage
import WireProtocol

/// The folders of this host whose files may become assets without being uploaded.
struct AllowedRoots: Sendable {
    private let roots: [String]

    /// Takes the folders that exist.
    /// - Parameter roots: absolute paths; those that do not exist allow nothing.
    init(_ roots: [String]) { self.roots = roots.compactMap(AllowedRoots.resolve) }

    /// The file at `path`, if it really lies below one of the folders. It is found first and judged by where it was
    /// found, so that a folder which becomes a link in between changes nothing.
    /// - Throws: ``Problem`` `path_not_allowed` for a file elsewhere; ``StorageError/unreadable(path:cause:)`` when
    ///   there is none.
    func locate(_ path: String) throws -> LocatedFile {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Problem.unprocessable("path_not_allowed", "“\(path)” is no absolute path.")
        }
        let file = try LocatedFile(path)
        guard roots.contains(where: { file.path == $0 || $0 == "/" || file.path.hasPrefix($0 + "/") }) else {
            throw Problem.unprocessable(
                "path_not_allowed",
                "\(path) is in none of the folders this coordinator may read."
            )
        }
        return file
    }

    /// The absolute path without links; nil for a path that does not exist.
    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
