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
    /// - Throws: ``Problem`` `path_not_allowed`, with the same words for whatever lies elsewhere, whether or not there is
    ///   anything; ``StorageError/unreadable(path:cause:)`` when there is nothing at a place below one of the folders.
    func locate(_ path: String) throws -> LocatedFile {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw Problem.unprocessable("path_not_allowed", "“\(path)” is no absolute path.")
        }
        let file: LocatedFile
        do {
            file = try LocatedFile(path)
        } catch {
            throw isBelowRoot(missing: path) ? error : Self.elsewhere(path)
        }
        guard holds(file.path) else { throw Self.elsewhere(path) }
        return file
    }

    private static func elsewhere(_ path: String) -> Problem {
        .unprocessable("path_not_allowed", "\(path) is in none of the folders this coordinator may read.")
    }

    private func holds(_ real: String) -> Bool {
        roots.contains { real == $0 || $0 == "/" || real.hasPrefix($0 + "/") }
    }

    /// Whether what cannot be found would lie below one of the folders: where the last part of its path that there is
    /// lies. A link that leads to nothing may lead anywhere.
    private func isBelowRoot(missing path: String) -> Bool {
        var known = path
        while AllowedRoots.resolve(known) == nil, known != "/" {
            if AllowedRoots.isLink(known) { return false }
            known = (known as NSString).deletingLastPathComponent
        }
        return AllowedRoots.resolve(known).map(holds) ?? false
    }

    private static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    /// The absolute path without links; nil for a path that does not exist.
    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
