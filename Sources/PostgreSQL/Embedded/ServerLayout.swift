import Foundation
import Glibc

/// Where the private server keeps its things below the farm's state folder.
///
///     STATE/postgresql/          0700, the server's user
///         data/  socket/  server.log  lock
struct ServerLayout: Sendable, Hashable {
    let root: String

    var data: String { root + "/data" }
    /// Becomes ``data`` once it is whole, so that a start that was killed leaves no half of one.
    var unfinishedData: String { root + "/data.new" }
    var socket: String { root + "/socket" }
    var log: String { root + "/server.log" }
    var lock: String { root + "/lock" }

    init(stateFolder: String) {
        root = URL(fileURLWithPath: stateFolder).standardizedFileURL.path + "/postgresql"
    }

    /// `sun_path` has 108 bytes with its final zero (unix(7)); PostgreSQL adds its own name to the folder.
    static func fits(socketFolder: String) -> Bool { (socketFolder + "/.s.PGSQL.5432").utf8.count < 108 }

    /// What others than root may still write where the server's things are; nil when nobody can say.
    var freeBytes: UInt64? {
        var status = statvfs()
        guard statvfs(root, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// Makes the folders, owned by `account`.
    ///
    /// - Throws: ``EmbeddedError`` with `state_not_enterable` when the account could not get at them.
    func create(for account: ServerAccount) throws(EmbeddedError) {
        let parent = (root as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
            throw EmbeddedError(
                isFull ? .noSpace : .system,
                "The state folder \(parent) cannot be made: \(error.localizedDescription)"
            )
        }
        if let blocked = account.blockedFolder(towards: parent) {
            throw EmbeddedError(
                .folderNotEnterable,
                "The user \(account.name ?? "postgres") may not enter \(blocked), where the farm's database would be; "
                    + "run chmod o+x \(blocked), or give another --state folder."
            )
        }
        try Self.makePrivate(root, for: account)
    }

    static func makePrivate(_ path: String, for account: ServerAccount) throws(EmbeddedError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw EmbeddedError("\(path) cannot be made", errno: errno)
        }
        guard account.name == nil || chown(path, account.userID, account.groupID) == 0, chmod(path, 0o700) == 0 else {
            throw EmbeddedError("\(path) cannot be given to the database's user", errno: errno)
        }
    }

    /// The folder for the socket: ``socket``, or a new short one when that path is too long.
    func makeSocketFolder(for account: ServerAccount) throws(EmbeddedError) -> String {
        guard !Self.fits(socketFolder: socket) else {
            try Self.makePrivate(socket, for: account)
            return socket
        }
        var template = Array((Self.shortPrefix + "XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw EmbeddedError("No folder in /tmp can be made", errno: errno) }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try Self.makePrivate(path, for: account)
        return path
    }

    /// Removes a short socket folder; the one in the state folder stays.
    static func removeShortFolder(_ path: String) {
        guard path.hasPrefix(shortPrefix) else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let shortPrefix = "/tmp/cutfarm-socket-"
}
