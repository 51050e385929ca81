import CompositionModel
import Foundation
package import WireProtocol

/// A moment in the work on an output folder, whose file system may hang then.
package enum OutputMoment: Sendable, Hashable {
    /// The folder is looked for while the coordinator starts.
    case starting
    /// The folder is opened, and searched for what others left there.
    case entering
    /// The movie, or the file in its place, is read and written.
    case moving
    /// The movie is about to get its name.
    case naming
}

/// A name for a movie below an output folder. Every folder on the way is opened in the one before it and none that is a link
/// is entered, so that nobody who may write there can lead a movie elsewhere. All calls block.
package struct OutputPlace: Sendable {
    /// The real path of the output folder.
    package let folder: String
    /// The names below it.
    package let target: OutputTarget
    /// Whether a file system was mounted at the folder when the coordinator started. Without it the movies would go to the
    /// disk below, where nobody looks for them.
    var isMountPoint = false
    /// Called before the file system is asked for anything.
    let reaching: @Sendable (OutputMoment) -> Void

    /// - Parameter reaching: called before the file system is asked for anything; a test lets it hang there.
    init(folder: String, target: OutputTarget, reaching: @escaping @Sendable (OutputMoment) -> Void) {
        (self.folder, self.target, self.reaching) = (folder, target, reaching)
    }

    /// How a movie came to lie at its place.
    package enum Delivery: Sendable, Hashable {
        /// It is another name of the stored file.
        case linked
        /// Its bytes were copied.
        case copied
        /// The same bytes were there before.
        case found
    }

    /// The reason why a movie does not lie at its place, as a sentence without paths of this machine.
    package struct Refusal: Error, Hashable, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Whether anything has the name. Folders on the way that are not there hold nothing.
    package var isOccupied: Bool {
        reaching(.entering)
        guard let parent = try? parent(makingFolders: false) else { return false }
        var about = stat()
        return fstatat(parent.number, name, &about, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Gives a stored movie its name here: whole, durable and at once, as a hard link where the file system allows it
    /// and else as a copy. What a process that died left of an earlier attempt is removed. Doing it again changes
    /// nothing.
    /// - Parameters:
    ///   - replacing: whether another file of the name is replaced; it is there until the movie is.
    ///   - owner: what tells unfinished copies of this movie from those of others, such as a job's identifier.
    ///   - goesOn: asked at each moment, and so as long as there is progress, whether the delivery goes on. At
    ///     ``OutputMoment/naming`` a no is the last that keeps the movie from its place; then nothing of it is left.
    /// - Throws: ``Refusal`` when another file or no folder is there, a call of the operating system fails, or the
    ///   delivery is not to go on.
    package func deliver(
        _ movie: StoredFile,
        replacing: Bool,
        for owner: String,
        while goesOn: (OutputMoment) -> Bool = { _ in true }
    ) throws(Refusal) -> Delivery {
        func passes(_ moment: OutputMoment) -> Bool {
            reaching(moment)
            return goesOn(moment)
        }
        guard passes(.entering) else { throw brokenOff }
        guard let parent = try parent(makingFolders: true) else { throw refusal("cannot be opened", ENOENT) }
        let draft = OutputDraft(parent: parent, owner: owner)
        draft.removeAbandoned(while: { passes(.entering) })
        guard passes(.moving) else { throw brokenOff }
        if try isThere(movie, parent, onPiece: { _ = passes(.moving) }) { return .found }
        // Its owner may read it, and whoever may enter the folder; nobody may change it, since it is the stored file.
        let isLinked = draft.link(movie)
        if !isLinked { try copy(movie, to: draft, while: { passes(.moving) }) }
        CrashPoint.reached("delivery.drafted")
        guard passes(.naming) else {
            draft.discard()
            throw brokenOff
        }
        let code = replacing ? draft.replace(name) : draft.settle(name)
        if code != 0 {
            draft.discard()
            if code == EEXIST, try isThere(movie, parent, onPiece: { _ = passes(.moving) }) { return .found }
            throw code == EEXIST ? occupied : refusal("cannot be written", code)
        }
        CrashPoint.reached("delivery.named")
        guard fsync(parent.number) == 0 else { throw refusal("cannot be made durable", errno) }
        CrashPoint.reached("delivery.placed")
        return isLinked ? .linked : .copied
    }

    private var name: String { target.names[target.names.count - 1] }

    private var occupied: Refusal {
        Refusal(description: "Another file lies at \(target.text); move it away, and the movie is put there by itself.")
    }

    private func refusal(_ what: String, _ code: Int32) -> Refusal {
        let reason = String(cString: strerror(code))
        return Refusal(description: "\(target.text) \(what): \(reason). It is tried again by itself.")
    }

    private var brokenOff: Refusal {
        Refusal(description: "\(target.text) was not finished in time; another coordinator may put the movie there.")
    }

    private func copy(_ movie: StoredFile, to draft: OutputDraft, while goesOn: () -> Bool) throws(Refusal) {
        let code = draft.copy(movie, while: goesOn)
        guard code != 0 else { return }
        draft.discard()
        throw refusal("cannot be written", code)
    }

    /// Whether the name is the stored file's, or that of a file with the same bytes. Then it is durable: whoever put it there
    /// may have ended before they saw to that.
    private func isThere(
        _ movie: StoredFile,
        _ parent: FolderDescriptor,
        onPiece: () -> Void
    ) throws(Refusal) -> Bool {
        let file = openat(parent.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard let there = FileIdentity(descriptor: file), there.byteCount == movie.byteCount else { return false }
        if !movie.isFile(there) {
            let hashed = try? FileHasher.hash(
                descriptor: file,
                path: target.text,
                withBlocks: false,
                onPiece: onPiece
            )
            guard hashed?.digest == movie.digest else { return false }
        }
        guard fsync(file) == 0, fsync(parent.number) == 0 else { throw refusal("cannot be made durable", errno) }
        return true
    }

    /// The folder in which the file lies.
    /// - Returns: nil when it is not there and is not to be made.
    private func parent(makingFolders: Bool) throws(Refusal) -> FolderDescriptor? {
        var at = FolderDescriptor(open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        guard at.number >= 0 else { throw refusal("cannot be opened", errno) }
        guard !isMountPoint || at.isMountPoint else {
            let what = "The file system of the output folder “\(target.root)” is not mounted"
            throw Refusal(description: "\(what); mount it, and the movie is put there by itself.")
        }
        for name in target.names.dropLast() {
            if makingFolders { try make(name, in: at) }
            let next = openat(at.number, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard next >= 0 else {
                if errno == ENOENT, !makingFolders { return nil }
                // A link is told as ENOTDIR where O_DIRECTORY stands beside O_NOFOLLOW (open(2)).
                guard errno == ENOTDIR || errno == ELOOP else { throw refusal("cannot be opened", errno) }
                let what = "“\(name.visible)” on the way to \(target.text) is a link or no folder"
                throw Refusal(description: "\(what); put a folder in its place, and the movie is put there by itself.")
            }
            at = FolderDescriptor(next)
        }
        return at
    }
}

extension OutputPlace {
    /// Makes a folder, unless something has its name.
    private func make(_ name: String, in folder: FolderDescriptor) throws(Refusal) {
        guard mkdirat(folder.number, name, 0o777) == 0 else {
            guard errno == EEXIST else { throw refusal("has no folder, and none can be made", errno) }
            return
        }
        guard fsync(folder.number) == 0 else { throw refusal("cannot be made durable", errno) }
    }
}

/// An open folder.
final class FolderDescriptor: Sendable {
    let number: Int32

    /// Owns `number` from now on.
    init(_ number: Int32) { self.number = number }

    deinit { if number >= 0 { close(number) } }

    /// Whether a file system begins at the folder: its device is another than that of the folder above.
    var isMountPoint: Bool {
        var (here, above) = (stat(), stat())
        return fstat(number, &here) == 0 && fstatat(number, "..", &above, 0) == 0 && here.st_dev != above.st_dev
    }
}
