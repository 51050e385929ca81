import Foundation
import Shared

/// Folders of this host from which files may become assets without being sent.
struct AllowedRoots: Sendable {
    private let roots: [String]

    /// - Parameter roots: absolute paths; those that do not exist allow nothing.
    init(_ roots: [String]) { self.roots = roots.compactMap(AllowedRoots.resolve) }

    /// `path` without links and dots, when it lies below one of the roots.
    func resolve(_ path: String) throws(Problem) -> String {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw .unprocessable("path_not_allowed", "“\(path)” is no absolute path.")
        }
        guard let real = AllowedRoots.resolve(path) else {
            throw .unprocessable("asset_unreadable", "\(path) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard roots.contains(where: { real == $0 || $0 == "/" || real.hasPrefix($0 + "/") }) else {
            throw .unprocessable("path_not_allowed", "\(path) is in none of the folders this coordinator may read.")
        }
        return real
    }

    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
