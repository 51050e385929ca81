import Foundation
import Storage
import Synchronization

/// The file to which a movie is delivered. It is written beside its place and then moved there completely, or not at
/// all.
struct OutputFile: Sendable {
    /// The path as the user named it.
    let path: String
    /// Whether a file that exists is replaced.
    let isForced: Bool
    /// The place of the file: ``path``, or what a link there points to.
    let target: String

    /// Checks that the file can be written, before a long job begins.
    /// - Throws: ``CommandFailure`` when the place is taken and may not be replaced, its folder is missing, or it is
    ///   not writable.
    init(path: String, isForced: Bool) throws {
        self.path = path
        self.isForced = isForced
        guard path != "-" else {
            throw CommandFailure(
                .usage,
                "A movie cannot go to standard output; name a file with -o, or ./- for that name."
            )
        }
        target = OutputFile.destination(of: path)
        let folder = target.parentFolder
        var isFolder: ObjCBool = false
        guard
            folder.isEmpty
                || FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue
        else {
            throw CommandFailure(.usage, "The folder \(folder) does not exist; make it first or choose another -o.")
        }
        guard !FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) || isForced && !isFolder.boolValue
        else {
            throw CommandFailure(.conflict, "\(path) exists; choose another -o, or say --force to replace it.")
        }
        if FileStatus(of: target)?.isRegular == false {
            throw CommandFailure(.usage, "\(path) is a device or a pipe, which a movie would replace; name a file.")
        }
        close(try makePartial())
        unlink(partial)
    }

    /// The path that a link leads to: the named file is replaced, not the link.
    private static func destination(of path: String) -> String {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil,
            let resolved = realpath(path, nil)
        else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The folder of the file; `.` for the working folder.
    var folder: String { target.parentFolder.isEmpty ? "." : target.parentFolder }

    /// The path of the unfinished file, beside the output, so that it can be moved there in one step.
    private var partial: String { "\(target).partial-\(getpid())" }

    private func makePartial() throws -> Int32 {
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("written", errno) }
        return descriptor
    }

    /// Lets `fill` write the movie, then moves it to its place.
    /// - Throws: ``CommandFailure`` when the file cannot be written or appeared meanwhile; the error that `fill`
    ///   throws.
    func deliver(
        _ fill: (_ sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) async throws -> Void
    )
        async throws
    {
        let descriptor = try makePartial()
        defer {
            close(descriptor)
            unlink(partial)
        }
        // What the sink throws comes back wrapped by the transfer: the cause is kept beside it.
        let cause = Mutex<CommandFailure?>(nil)
        do {
            try await fill { bytes in
                do {
                    try write(bytes, to: descriptor)
                } catch {
                    cause.withLock { $0 = error as? CommandFailure }
                    throw error
                }
            }
        } catch {
            throw cause.withLock(\.self) ?? error
        }
        guard fsync(descriptor) == 0 else { throw failure("written", errno) }
        try move(partial)
    }

    /// Moves a whole file of the same file system to the place of the output.
    /// - Throws: ``CommandFailure`` when the output appeared meanwhile, or the file cannot be synced or moved.
    func place(_ finished: String) throws {
        let descriptor = open(finished, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("read", errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("written", errno) }
        try move(finished)
    }

    private func move(_ finished: String) throws {
        // Without --force a file that appeared meanwhile is not replaced: link(2) refuses, rename(2) would not.
        var placed = isForced ? rename(finished, target) : link(finished, target)
        // File systems without links (FAT, some network ones) say EPERM.
        if placed != 0, errno == EPERM || errno == ENOTSUP, !FileManager.default.fileExists(atPath: target) {
            placed = rename(finished, target)
        }
        guard placed == 0 else {
            throw errno == EEXIST
                ? CommandFailure(.conflict, "\(path) appeared while it was rendered; say --force to replace it.")
                : failure("put in place", errno)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        let code = bytes.writeAll(to: descriptor)
        guard code == 0 else { throw failure("written", code) }
    }

    func failure(_ what: String, _ code: Int32) -> CommandFailure {
        CommandFailure(
            code == ENOSPC || code == EDQUOT ? .noSpace : .usage,
            "\(path) cannot be \(what): \(String(cString: strerror(code)))."
        )
    }
}
