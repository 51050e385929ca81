import CompositionModel
import Foundation
import Synchronization

/// The beginning of a file that is fetched, beside the place of the whole. Its name says the digest of the whole, so that a
/// later command finds it and nobody takes it for another movie. Calls block; one at a time.
final class PartialOutput: Sendable {
    private struct State {
        var byteCount: Int64 = 0
        var hasher = ContentHasher()
    }

    /// The path of the unfinished file.
    let path: String
    private let file: OutputFile
    /// It holds the lock that says that a command is at it.
    private let descriptor: Int32
    private let state = Mutex(State())

    /// Opens what an earlier command left, or an empty file. What was left of other movies for the same place goes.
    /// - Throws: ``CommandFailure`` when the file cannot be written, or another command fetches it at this moment.
    init(of digest: ContentDigest, for file: OutputFile) throws {
        self.file = file
        path = PartialOutput.prefix(file) + digest.hex.prefix(PartialOutput.digitCount)
        descriptor = try PartialOutput.open(path, for: file)
        PartialOutput.removeOthers(file, than: path)
    }

    private static func open(_ path: String, for file: OutputFile) throws -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw file.failure("written", errno) }
        var code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        // Some file systems of a network have no locks; then nobody hears of another command at the same file.
        if [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(code) { code = 0 }
        var (mine, named) = (stat(), stat())
        // Who held it until now has given it the name of the whole.
        let isThere = fstat(descriptor, &mine) == 0 && lstat(path, &named) == 0 && mine.st_ino == named.st_ino
        guard code == 0, isThere else {
            close(descriptor)
            guard code == 0 || code == EWOULDBLOCK else { throw file.failure("locked", code) }
            throw CommandFailure(.conflict, "Another command fetches \(file.path) at this moment; let it finish.")
        }
        return descriptor
    }

    deinit { close(descriptor) }

    private static let digitCount = 16

    private static func prefix(_ file: OutputFile) -> String { "\(file.target).partial-" }

    private static func removeOthers(_ file: OutputFile, than path: String) {
        let begin = (prefix(file) as NSString).lastPathComponent
        for name in (try? FileManager.default.contentsOfDirectory(atPath: file.folder)) ?? [] {
            let rest = name.dropFirst(begin.count)
            guard name.hasPrefix(begin), rest.count == digitCount,
                rest.allSatisfy({ $0.isHexDigit && !$0.isUppercase }),
                name != (path as NSString).lastPathComponent
            else { continue }
            let other = Glibc.open("\(file.folder)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard other >= 0 else { continue }
            if flock(other, LOCK_EX | LOCK_NB) == 0 { unlink("\(file.folder)/\(name)") }
            close(other)
        }
    }

    /// The number of bytes that are there and were read by ``readBeginning(upTo:)`` or written.
    var byteCount: Int64 { state.withLock(\.byteCount) }

    /// Reads what is there, for the digest of the whole.
    /// - Parameter limit: the length of the whole; a file that is longer is none of it and is emptied.
    /// - Throws: ``CommandFailure`` when the file cannot be read or written.
    func readBeginning(upTo limit: Int64) throws {
        var read = State()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(read.byteCount))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw file.failure("read", errno) }
            if got == 0 { break }
            read.byteCount += Int64(got)
            guard read.byteCount <= limit else { return try restart() }
            read.hasher.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
        state.withLock { [read] in $0 = read }
    }

    /// Forgets all bytes.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    func restart() throws {
        guard ftruncate(descriptor, 0) == 0 else { throw file.failure("written", errno) }
        state.withLock { $0 = State() }
    }

    /// Appends bytes.
    /// - Throws: ``CommandFailure`` when they cannot be written; what is there is right as far as it goes.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        let offset = byteCount
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw file.failure("written", errno) }
        try file.write(bytes, to: descriptor)
        state.withLock { state in
            state.byteCount += Int64(bytes.count)
            state.hasher.update(bufferPointer: bytes)
        }
    }

    /// The digest of all bytes.
    var digest: ContentDigest { state.withLock { $0.hasher.finalize() } }

    /// Gives the file the name of the whole.
    /// - Throws: ``CommandFailure`` when the output appeared meanwhile, or the file cannot be synced or moved.
    func place() throws {
        try file.place(path)
        remove()
    }

    /// Removes the file, if it still has this name.
    func remove() { unlink(path) }
}
