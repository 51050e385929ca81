import CompositionModel
import Foundation
package import WireProtocol

/// The folders of this host into which finished movies are put by name.
package struct OutputFolders: Sendable {
    /// The real path of each folder, by its name.
    private let paths: [String: String]
    /// The names of those at which a file system was mounted.
    private let mountPoints: Set<String>
    /// The names of those that did not answer when they were looked at, ascending.
    package let silentNames: [String]
    /// Called with a folder's name and the moment before its file system is asked for anything; a test lets it hang
    /// there.
    private let reaching: @Sendable (String, OutputMoment) -> Void

    /// Takes the folders. One whose file system hangs is taken as there. Blocks until all have answered, and no longer
    /// than `limit`.
    /// - Parameters:
    ///   - folders: absolute paths, or `NAME=` before one; without it the last part of the path is the name.
    ///   - limit: the time in which the folders have to answer.
    ///   - reaching: called with a folder's name before its file system is asked for anything; a test lets it hang
    ///     there.
    /// - Throws: ``Unusable`` for a folder that is not there, a name that two have, and one that lies in another.
    package init(
        _ folders: [String],
        within limit: Duration = .seconds(5),
        reaching: @escaping @Sendable (String, OutputMoment) -> Void = { _, _ in }
    ) throws(Unusable) {
        var paths: [String: String] = [:]
        var (mountPoints, silentNames): (Set<String>, [String]) = ([], [])
        let named = folders.map(Self.parts)
        let looks = named.map { parts in
            OutputFolderLook(at: parts.path) { reaching(parts.name, .starting) }
        }
        let deadline = DispatchTime.now() + limit / .seconds(1)
        for ((name, path), look) in zip(named, looks) {
            guard (try? OutputTarget(name + "/a")) != nil, !name.contains("/") else {
                throw Unusable("“\(name)” is no name for an output folder; write NAME=\(path) with another one.")
            }
            let answer = look.answer(by: deadline)
            if answer == nil { silentNames.append(name) }
            let found = answer ?? OutputFolderLook.assumed(at: path)
            guard let real = found.folder else {
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
            if found.isMountPoint { mountPoints.insert(name) }
        }
        (self.paths, self.mountPoints, self.silentNames) = (paths, mountPoints, silentNames.sorted())
        self.reaching = reaching
    }

    /// No folders.
    package init() { (paths, mountPoints, silentNames, reaching) = ([:], [], [], { _, _ in }) }

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
}
