import CompositionModel
import Foundation
import Synchronization

/// The fonts that this process has found. A look through the folders opens every font file of the machine, in a process of
/// its own; what was found holds until a folder changes.
final class FontMemory: Sendable {
    /// The memory of this process.
    static let shared = FontMemory()

    private struct Found {
        /// The font file of the face asked for, and the facts of the face, by the descriptor without its text.
        var faces: [FontDescriptor: (path: String, facts: FontFaceFacts)] = [:]
        /// The last state of the folders.
        var folders: FontFolders?
    }

    private let found = Mutex(Found())

    /// The answer to `descriptor`, as long as the folders are as they were when the face was found.
    /// - Returns: nil when the font was not found before, or does not draw the whole text by itself.
    func answer(to descriptor: FontDescriptor, in folders: [String]) -> FontAnswer? {
        found.withLock { found in
            guard let known = found.folders, known.roots == folders, known.areUnchanged,
                let face = found.faces[descriptor.withoutText], descriptor.isDrawn(by: face.facts)
            else { return nil }
            return FontAnswer(paths: [face.path], face: face.facts)
        }
    }

    /// Notes what a search has found.
    /// - Parameter folders: the folders as they were before the search.
    func note(_ answers: some Sequence<(FontDescriptor, FontAnswer)>, in folders: FontFolders) {
        found.withLock { found in
            if found.folders != folders { found = Found(folders: folders) }
            for (descriptor, answer) in answers {
                guard let path = answer.paths.first, let face = answer.face else { continue }
                found.faces[descriptor.withoutText] = (path, face)
            }
        }
    }
}

/// Font folders with all folders below them, and when each was last changed. A file that is added, removed or renamed
/// changes its folder; one that is written over does not.
struct FontFolders: Hashable {
    let roots: [String]
    /// The times of the last changes, in nanoseconds since 1970, by path; nil for a folder that is not there.
    private let changes: [String: Int64?]

    /// Looks at the folders and those below them.
    /// - Parameter roots: absolute paths.
    init(_ roots: [String]) {
        self.roots = roots
        var changes: [String: Int64?] = [:]
        for root in roots {
            changes[root] = .some(FontFolders.change(of: root))
            let below = FileManager.default.enumerator(atPath: root)
            while let path = below?.nextObject() as? String {
                if let change = FontFolders.change(of: root + "/" + path) { changes[root + "/" + path] = change }
            }
        }
        self.changes = changes
    }

    /// Whether no folder has changed since they were looked at.
    var areUnchanged: Bool { changes.allSatisfy { path, change in FontFolders.change(of: path) == change } }

    private static func change(of path: String) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
        return Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}

extension FontDescriptor {
    fileprivate var withoutText: FontDescriptor {
        var descriptor = self
        descriptor.text = ""
        return descriptor
    }
}
