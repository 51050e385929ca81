import Foundation
import Storage

/// The coordinator and the token that `cutfarm login` keeps for this user, in a file that nobody else may read.
struct Credentials: Codable, Hashable {
    /// The address of the coordinator.
    var coordinator: String
    /// The token.
    var token: String
    /// Whether the token may travel in clear to another host.
    var allowsInsecureToken: Bool

    /// The path of the file: below `$XDG_CONFIG_HOME` when that is absolute, else below `~/.config`.
    static func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/cutfarm/credentials" }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory()
        return home + "/.config/cutfarm/credentials"
    }

    /// What is kept; nil when nobody signed in.
    /// - Throws: ``CommandFailure`` for a file that others may read, a link in its place, and one that cannot be read or
    ///   understood.
    static func load(_ path: String = path()) throws -> Credentials? {
        // The file that is looked at is the one that is read, and no link leads to another one's.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return nil
            case ELOOP:
                throw CommandFailure(
                    .notAllowed,
                    "\(path) is a link to another file; remove it, and sign in again with `cutfarm login`."
                )
            case let code:
                throw CommandFailure(.usage, "\(path) cannot be read: \(String(cString: strerror(code))).")
            }
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(
                .usage,
                "\(path) is no file; remove it, and sign in again with `cutfarm login`."
            )
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .notAllowed,
                "\(path) may be read by others than you; run `chmod 600 \(path)`, or sign in again with `cutfarm login`."
            )
        }
        let data = try? FileHandle(fileDescriptor: file, closeOnDealloc: false).read(upToCount: 1 << 16)
        guard let data, let kept = try? JSONDecoder().decode(Credentials.self, from: data) else {
            throw CommandFailure(.usage, "\(path) cannot be understood; sign in again with `cutfarm login`.")
        }
        return kept
    }

    /// Keeps them in place of what was kept before: whoever reads meanwhile sees the one or the other whole.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    func save(_ path: String = path()) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let code = Self.write(Array(try encoder.encode(self)) + [0x0a], to: path)
        guard code == 0 else {
            throw CommandFailure(.usage, "\(path) cannot be written: \(String(cString: strerror(code))).")
        }
    }

    /// Writes a file in place of the one at a path, and its folders where they are missing.
    /// - Returns: 0, or the number of the error by which it could not be written.
    private static func write(_ bytes: [UInt8], to path: String) -> Int32 {
        let folder = (path as NSString).deletingLastPathComponent
        let code = makeFolders(folder)
        guard code == 0 else { return code }
        let draft = folder + "/.credentials-\(UUID().uuidString)"
        // The mode is that of the file from its first instant: nobody can open it before.
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        var failure = bytes.withUnsafeBytes { $0.writeAll(to: file) }
        // Each number is taken before the next call can change it.
        if failure == 0, fsync(file) != 0 { failure = errno }
        close(file)
        if failure == 0, rename(draft, path) != 0 { failure = errno }
        if failure != 0 { unlink(draft) }
        return failure
    }

    /// Makes a folder that only this user may enter, and those above it, unless they are there.
    /// - Returns: 0, or the number of the error.
    private static func makeFolders(_ folder: String) -> Int32 {
        if mkdir(folder, 0o700) == 0 || errno == EEXIST { return 0 }
        guard errno == ENOENT, folder.count > 1 else { return errno }
        let code = makeFolders((folder as NSString).deletingLastPathComponent)
        guard code == 0 else { return code }
        return mkdir(folder, 0o700) == 0 || errno == EEXIST ? 0 : errno
    }

    /// Forgets what is kept.
    /// - Returns: whether anything was.
    static func remove(_ path: String = path()) -> Bool { unlink(path) == 0 }
}
