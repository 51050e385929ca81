import Foundation
import Glibc

/// A data folder as initdb left it, kept to be copied: that takes a tenth of the time.
///
///     FOLDER/                    0700, the server's user
///         15-0f3c…/              whole from the moment it has this name
///         new-…/  lock
///
/// Its name is made from what it was made with: the programs, how initdb was called, and this boot of the machine.
/// Seeing a thousand files to the disk takes longer than making them; a template that is forgotten at the next boot
/// needs none of that. Another name's template goes when one is made. Copies are made by `cp`, as the server's user,
/// and share their blocks with the template where the file system can.
struct ServerTemplate: Sendable {
    let folder: String
    private let account: ServerAccount
    private let binaries: ServerBinaries
    /// How initdb is called, without the folder to fill.
    private let options: [String]
    private let boot: String

    /// - Parameter boot: what tells this boot of the machine from others; random(4).
    init(
        folder: String,
        account: ServerAccount,
        binaries: ServerBinaries,
        options: [String],
        boot: String = ServerTemplate.currentBoot
    ) {
        self.folder = URL(fileURLWithPath: folder).standardizedFileURL.path
        self.account = account
        self.binaries = binaries
        self.options = options
        self.boot = boot
    }

    static var currentBoot: String {
        (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? UUID().uuidString
    }

    var path: String { folder + "/" + name }

    /// Copies the template to `target`, which must not be there, and makes it first when there is none.
    /// - Parameters:
    ///   - isCancelled: asked while another process works at the templates.
    ///   - run: runs a program as the server's user to its end. - Returns: its exit code.
    /// - Throws: ``EmbeddedError``; something may then be at `target`.
    func copy(
        to target: String,
        isCancelled: () -> Bool,
        run: ([String]) throws(EmbeddedError) -> Int32
    ) throws(EmbeddedError) {
        try ServerLayout.makePrivate(folder, for: account)
        let lock = try WaitingLock(path: folder + "/lock", isCancelled: isCancelled)
        defer { lock.release() }
        if access(path + "/PG_VERSION", R_OK) != 0 { try make(run) }
        guard try run(["cp", "-a", "--reflink=auto", "--", path, target]) == 0 else {
            throw EmbeddedError(.notStarted, "\(path) cannot be copied to \(target).")
        }
    }

    /// Nobody shall copy it again: no server starts on it, or makes no database.
    ///
    /// - Parameter isCancelled: as of ``copy(to:isCancelled:run:)``; it may then stay.
    func remove(isCancelled: () -> Bool) {
        guard let lock = try? WaitingLock(path: folder + "/lock", isCancelled: isCancelled) else { return }
        defer { lock.release() }
        // Under its own name it must be whole.
        let doomed = folder + "/" + ServerTemplate.unfinished + UUID().uuidString
        if rename(path, doomed) == 0 { try? FileManager.default.removeItem(atPath: doomed) }
    }

    private static let unfinished = "new-"

    private func make(_ run: ([String]) throws(EmbeddedError) -> Int32) throws(EmbeddedError) {
        removeOthers()
        let new = folder + "/" + ServerTemplate.unfinished + UUID().uuidString
        guard try run([binaries.initdb, "-D", new, "--no-sync"] + options) == 0 else {
            throw EmbeddedError(.notStarted, "\(new) cannot be made.")
        }
        guard rename(new, path) == 0 else { throw EmbeddedError("\(path) cannot be made", errno: errno) }
    }

    /// Removes the templates of other programs, and what was left unfinished. The caller holds the lock.
    private func removeOthers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for other in names where other != "lock" { try? FileManager.default.removeItem(atPath: folder + "/" + other) }
    }

    private var name: String {
        let parts = [binaries.initdb, binaries.postgres].map(ServerTemplate.mark) + [boot] + options
        // FNV-1a: it need not resist anybody, it tells versions apart.
        let hash = parts.joined(separator: "\n").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        return "\(binaries.version)-" + String(hash, radix: 16)
    }

    /// A program file: an update changes its size or its time.
    private static func mark(_ path: String) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { return path }
        return "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }
}

/// A lock of a file that is waited for, but not for ever: whoever holds it may be stopped.
private struct WaitingLock {
    private let descriptor: Int32

    /// - Throws: ``EmbeddedError`` when another process holds it for 20 s, or until the wait is cancelled.
    init(path: String, isCancelled: () -> Bool) throws(EmbeddedError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw EmbeddedError("\(path) cannot be opened", errno: errno) }
        for _ in 0..<1000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard !isCancelled() else {
                close(descriptor)
                throw EmbeddedError.startCancelled
            }
            usleep(20_000)
        }
        close(descriptor)
        throw EmbeddedError(.stateInUse, "\(path) is locked by another process.")
    }

    func release() { close(descriptor) }
}
