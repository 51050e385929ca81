import CompositionModel
import Foundation
package import WireProtocol

/// The folders of this host into which finished movies are put by name.
package struct OutputFolders: Sendable {
    /// The real path of each folder, by its name.
    private let paths: [String: String]
    /// The names of those at which a file system was mounted.
    private let mountPoints: Set<String>
    /// Called with a folder's name and the moment before its file system is asked for anything; a test lets it hang
    /// there.
    private let reaching: @Sendable (String, OutputMoment) -> Void

    /// Takes the folders.
    /// - Parameters:
    ///   - folders: absolute paths, or `NAME=` before one; without it the last part of the path is the name.
    ///   - reaching: called with a folder's name before its file system is asked for anything; a test lets it hang
    ///     there.
    /// - Throws: ``Unusable`` for a folder that is not there, a name that two have, and one that lies in another.
    package init(
        _ folders: [String],
        reaching: @escaping @Sendable (String, OutputMoment) -> Void = { _, _ in }
    ) throws(Unusable) {
        var paths: [String: String] = [:]
        for text in folders {
            let (name, path) = Self.parts(text)
            guard (try? OutputTarget(name + "/a")) != nil, !name.contains("/") else {
                throw Unusable("“\(name)” is no name for an output folder; write NAME=\(path) with another one.")
            }
            guard let real = Self.resolve(path), Self.isFolder(real) else {
                throw Unusable("The output folder \(path) is no folder; make it first.")
            }
            guard paths[name] == nil else {
                throw Unusable("Two output folders are called “\(name)”; write NAME=\(path) with another name.")
            }
            if let other = paths.values.first(where: { Self.isSameOrInside(real, $0) || Self.isSameOrInside($0, real) })
            {
                throw Unusable("The output folders \(other) and \(real) lie in one another; name one of them.")
            }
            paths[name] = real
        }
        self.paths = paths
        self.reaching = reaching
        mountPoints = Set(
            paths.filter { FolderDescriptor(open($0.value, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).isMountPoint }.keys
        )
    }

    /// No folders.
    package init() { (paths, mountPoints, reaching) = ([:], [], { _, _ in }) }

    /// The reason why a folder cannot be an output folder, as a sentence.
    package struct Unusable: Error, CustomStringConvertible {
        package let description: String

        init(_ sentence: String) { description = sentence }
    }

    /// The names, ascending.
    package var names: [String] { paths.keys.sorted() }

    /// The real paths, ascending.
    package var folders: [String] { paths.values.sorted() }

    /// The place that a target means; nil when no folder has the name with which it begins.
    package func place(_ target: OutputTarget) -> OutputPlace? {
        paths[target.root].map { folder in
            var place = OutputPlace(folder: folder, target: target) { [reaching] in reaching(target.root, $0) }
            place.isMountPoint = mountPoints.contains(target.root)
            return place
        }
    }

    private static func parts(_ text: String) -> (name: String, path: String) {
        if !text.hasPrefix("/"), let sign = text.firstIndex(of: "=") {
            return (String(text[..<sign]), String(text[text.index(after: sign)...]))
        }
        return ((text as NSString).lastPathComponent, text)
    }

    private static func isSameOrInside(_ path: String, _ folder: String) -> Bool {
        path == folder || folder == "/" || path.hasPrefix(folder + "/")
    }

    private static func isFolder(_ path: String) -> Bool {
        var about = stat()
        return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
    }

    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
