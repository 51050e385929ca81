import Foundation
import Synchronization

/// A folder that belongs to one run and goes with it. A lock tells whether a run still lives: the folders of runs that
/// were killed are removed by the next one.
final class RunFolder: Sendable {
    let path: String
    private let lock: Int32

    init(below parent: String) throws {
        RunFolder.removeAbandoned(below: parent)
        path = parent + "/run-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.usage, "\(parent) cannot be written in; choose another folder with --state.")
        }
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        _ = flock(lock, LOCK_EX | LOCK_NB)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
        close(lock)
    }

    private static func removeAbandoned(below parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix("run-") {
            let folder = parent + "/" + name
            let lock = open(folder + "/lock", O_RDWR | O_CLOEXEC)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: folder) }
            close(lock)
        }
    }
}

/// Tokens that live as long as one run, in files that only this user can read.
struct RunTokens: Sendable {
    /// The coordinator's list.
    let file: String
    let workerFile: String
    let user: String

    init(in folder: String) throws {
        user = RunTokens.secret()
        let worker = RunTokens.secret()
        file = folder + "/tokens"
        workerFile = folder + "/worker-token"
        try RunTokens.write("local view,submit,admin \(user)\nlocal worker \(worker)\n", to: file)
        try RunTokens.write(worker, to: workerFile)
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in String(generator.next(), radix: 36) }.joined()
    }

    private static func write(_ text: String, to path: String) throws {
        let made = FileManager.default.createFile(
            atPath: path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: 0o600]
        )
        guard made else { throw CommandFailure(.noSpace, "\(path) cannot be written; is there space?") }
    }
}
