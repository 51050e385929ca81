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
    /// - Throws: ``CommandFailure`` for a file that others may read, and one that cannot be understood.
    static func load(_ path: String = path()) throws -> Credentials? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        guard let mode = attributes[.posixPermissions] as? Int, mode & 0o077 == 0 else {
            throw CommandFailure(
                .notAllowed,
                "\(path) may be read by others than you; run `chmod 600 \(path)`, or sign in again with `cutfarm login`."
            )
        }
        guard let data = Data(readingToEnd: path), let kept = try? JSONDecoder().decode(Credentials.self, from: data)
        else {
            throw CommandFailure(.usage, "\(path) cannot be understood; sign in again with `cutfarm login`.")
        }
        return kept
    }

    /// Keeps them in place of what was kept before: whoever reads meanwhile sees the one or the other whole.
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    func save(_ path: String = path()) throws {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let draft = folder + "/.credentials-\(UUID().uuidString)"
            defer { unlink(draft) }
            // The mode is that of the file from its first instant: nobody can open it before.
            let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw CocoaError(.fileWriteNoPermission) }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let bytes = Array(try encoder.encode(self)) + [0x0a]
            let code = bytes.withUnsafeBytes { $0.writeAll(to: file) }
            let isDurable = fsync(file) == 0
            close(file)
            guard code == 0, isDurable, rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw CommandFailure(.usage, "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Forgets what is kept.
    /// - Returns: whether anything was.
    static func remove(_ path: String = path()) -> Bool { unlink(path) == 0 }
}
