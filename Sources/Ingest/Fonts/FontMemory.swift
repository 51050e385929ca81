import CompositionModel
import Foundation
import Synchronization

/// The fonts that this process has found. A look through the folders opens every font file of the machine, in a process of
/// its own; what was found holds until a folder or the font's file changes.
///
/// Methods block for a system call for each folder.
final class FontMemory: Sendable {
    /// The memory of this process.
    static let shared = FontMemory()

    private struct Face {
        let path: String
        let facts: FontFaceFacts
        let change: FileChange?
    }

    private struct Found {
        /// The face asked for, by the descriptor without its text.
        var faces: [FontDescriptor: Face] = [:]
        /// The last answers that took other fonts too, such as those of emoji, with the last changes of their files.
        var answers: [FontDescriptor: (answer: FontAnswer, changes: [FileChange?])] = [:]
        /// The last state of the folders.
        var folders: FontFolders?
    }

    /// The most answers that are kept for their text alone.
    private static let mostAnswers = 500

    private let found = Mutex(Found())

    /// The answers to `descriptors`, in their order, as long as the folders are as they were when the faces were found.
    /// - Returns: nil for a font that was not found before, and for one that does not draw the whole text by itself,
    ///   unless this text was asked for lately.
    func answers(to descriptors: [FontDescriptor], in folders: [String]) -> [FontAnswer?] {
        let known = found.withLock { $0 }
        guard let state = known.folders, state.roots == folders, state.areUnchanged else {
            return descriptors.map { _ in nil }
        }
        var unchanged: [String: Bool] = [:]
        return descriptors.map { descriptor in
            if let (answer, changes) = known.answers[descriptor], changes == answer.paths.map(FileChange.init(of:)) {
                return answer
            }
            guard let face = known.faces[descriptor.withoutText], descriptor.isDrawn(by: face.facts) else { return nil }
            let isUnchanged = unchanged[face.path] ?? (FileChange(of: face.path) == face.change)
            unchanged[face.path] = isUnchanged
            return isUnchanged ? FontAnswer(paths: [face.path]) : nil
        }
    }

    /// Notes what a search has found.
    /// - Parameter folders: the folders as they were before the search.
    func note(_ answers: some Sequence<(FontDescriptor, FontAnswer)>, in folders: FontFolders) {
        let faces = answers.compactMap { descriptor, answer -> (FontDescriptor, Face)? in
            guard let path = answer.paths.first, let facts = answer.face else { return nil }
            return (descriptor.withoutText, Face(path: path, facts: facts, change: FileChange(of: path)))
        }
        let others = answers.compactMap { descriptor, answer -> (FontDescriptor, (FontAnswer, [FileChange?]))? in
            // What is missing is searched again.
            guard answer.paths.count > 1, answer.missing.isEmpty else { return nil }
            let kept = FontAnswer(paths: answer.paths)
            return (descriptor, (kept, answer.paths.map(FileChange.init(of:))))
        }
        found.withLock { found in
            if found.folders != folders { found = Found(folders: folders) }
            for (descriptor, face) in faces { found.faces[descriptor] = face }
            if found.answers.count + others.count > Self.mostAnswers { found.answers = [:] }
            for (descriptor, answer) in others.prefix(Self.mostAnswers) { found.answers[descriptor] = answer }
        }
    }
}

/// Font folders with all folders below them, and when each was last changed. A file that is added, removed or renamed
/// changes its folder; one that is written over does not.
struct FontFolders: Hashable {
    let roots: [String]
    /// The last changes, by path; nil for a folder that is not there.
    private let changes: [String: FileChange?]

    /// Looks at the folders and those below them.
    /// - Parameter roots: absolute paths.
    init(_ roots: [String]) {
        self.roots = roots
        var changes: [String: FileChange?] = [:]
        for root in roots {
            changes[root] = .some(FileChange(of: root))
            let below = FileManager.default.enumerator(atPath: root)
            while let path = below?.nextObject() as? String {
                let change = FileChange(of: root + "/" + path)
                if change?.isFolder == true { changes[root + "/" + path] = change }
            }
        }
        self.changes = changes
    }

    /// Whether no folder has changed since they were looked at.
    var areUnchanged: Bool { changes.allSatisfy { path, change in FileChange(of: path) == change } }
}

/// The last change of a file or folder, of its content or its attributes.
struct FileChange: Hashable {
    let isFolder: Bool
    private let byteCount: Int
    /// In nanoseconds since 1970, by the file system.
    private let time: Int64

    /// - Returns: nil for what is not there.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        byteCount = Int(status.st_size)
        time = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    }
}
