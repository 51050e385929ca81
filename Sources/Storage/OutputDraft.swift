import Foundation

/// A movie on its way to its name, under one that nobody takes for a finished file's, in the same folder. The lock on a copy
/// tells that somebody is at it; it goes with the process, however that ends.
struct OutputDraft {
    let parent: FolderDescriptor
    let name: String
    private let prefix: String

    init(parent: FolderDescriptor, owner: String) {
        self.parent = parent
        prefix = ".cutfarm-\(owner)-"
        name = prefix + UUID().uuidString.lowercased()
    }

    /// Removes what processes that died left of the same movie.
    /// - Parameter goesOn: asked after each name in the folder and each removal whether the search goes on.
    func removeAbandoned(while goesOn: () -> Bool) {
        for name in abandoned(while: goesOn) {
            let file = openat(parent.number, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlinkat(parent.number, name, 0) }
            close(file)
            guard goesOn() else { return }
        }
    }

    /// Makes the draft another name of the stored file, which is made unwritable: who changes it in place would change what is
    /// stored.
    /// - Returns: whether that is possible here.
    func link(_ movie: StoredFile) -> Bool {
        guard movie.registered == nil, linkat(AT_FDCWD, movie.path, parent.number, name, 0) == 0 else { return false }
        guard fchmodat(parent.number, name, 0o444, 0) == 0 else {
            discard()
            return false
        }
        return true
    }

    /// Makes the draft a durable copy. Room is taken for all of it before the first byte is written.
    /// - Parameters:
    ///   - clock: measures how fast the disk is.
    ///   - flush: makes the bytes so far durable, and returns 0, or -1 with `errno`.
    ///   - goesOn: asked after each mebibyte whether the copying goes on.
    /// - Returns: 0, or the number of the error: ECANCELED when it was not to go on.
    func copy(
        _ movie: StoredFile,
        on clock: some Clock<Duration> = ContinuousClock(),
        flushing flush: (Int32) -> Int32 = { fdatasync($0) },
        while goesOn: () -> Bool
    ) -> Int32 {
        let file = openat(parent.number, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { return errno }
        defer { close(file) }
        // A file system without locks has no two coordinators, or finds the same bytes at the end.
        _ = flock(file, LOCK_EX | LOCK_NB)
        let reserved = reserve(movie.byteCount, in: file)
        guard reserved == 0 else { return reserved }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var (offset, flushedByteCount): (Int64, Int64) = (0, 0)
        var (pace, began) = (FlushPace(), clock.now)
        while offset < movie.byteCount {
            guard let count = try? movie.read(into: buffer, at: offset), count > 0 else { return EIO }
            let code = UnsafeRawBufferPointer(rebasing: buffer[..<count]).writeAll(to: file)
            guard code == 0 else { return code }
            offset += Int64(count)
            let unflushedByteCount = offset - flushedByteCount
            if unflushedByteCount >= pace.byteCount {
                guard flush(file) == 0 else { return errno }
                pace.note(unflushedByteCount, in: began.duration(to: clock.now))
                (flushedByteCount, began) = (offset, clock.now)
            }
            guard goesOn() else { return ECANCELED }
        }
        return fsync(file) == 0 ? 0 : errno
    }

    /// Takes room for a file, where the file system can do that at once. posix_fallocate(3) would write to every block where
    /// it cannot, as over NFS.
    /// - Returns: 0, or the number of the error.
    private func reserve(_ byteCount: Int64, in file: Int32) -> Int32 {
        guard byteCount > 0, let reserve = Self.fallocate, reserve(file, 0, 0, off_t(byteCount)) != 0 else { return 0 }
        return [EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) ? 0 : errno
    }

    private static let fallocate = dlsym(nil, "fallocate").map { unsafeBitCast($0, to: Fallocate.self) }
    private typealias Fallocate = @convention(c) (Int32, Int32, off_t, off_t) -> Int32

    /// Gives the draft its name in place of another file's.
    /// - Returns: 0, or the number of the error.
    func replace(_ final: String) -> Int32 {
        guard renameat(parent.number, name, parent.number, final) == 0 else { return errno }
        // Two names of one file stay two (rename(2)); nothing is left of the draft where it was another's.
        discard()
        return 0
    }

    /// Gives the draft its name unless there is such a file.
    /// - Returns: 0, or the number of the error: EEXIST for a name that is taken.
    func settle(_ final: String) -> Int32 {
        // linkat(2) replaces nothing, on every file system that has links; renameat2(2) is for the others.
        if linkat(parent.number, name, parent.number, final, 0) == 0 {
            discard()
            return 0
        }
        guard errno != EEXIST else { return EEXIST }
        guard let rename = Self.renameWithoutReplacing else { return EOPNOTSUPP }
        return rename(parent.number, name, parent.number, final, 1) == 0 ? 0 : errno
    }

    /// `renameat2`, whose flag 1 is RENAME_NOREPLACE. Glibc's module leaves it out, as it does all of _GNU_SOURCE.
    private static let renameWithoutReplacing = dlsym(nil, "renameat2").map {
        unsafeBitCast($0, to: Rename.self)
    }
    private typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    func discard() { unlinkat(parent.number, name, 0) }

    /// The names in the folder that drafts of this movie may have.
    private func abandoned(while goesOn: () -> Bool) -> [String] {
        let copy = openat(parent.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return [] }
        guard let folder = fdopendir(copy) else {
            close(copy)
            return []
        }
        // This closes the descriptor too (closedir(3)).
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder), goesOn() {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }
}
