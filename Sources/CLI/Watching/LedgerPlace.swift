import CompositionModel
import Foundation
import Storage
import WireProtocol

/// Where the ledger of one watched folder lies: each folder has one for each farm, and for each kind of movie that is
/// made of its files.
struct LedgerPlace: Sendable {
    /// The path of the ledger.
    let path: String
    /// The path of the ledger that earlier versions kept of the folder, whatever was made of its files.
    private let earlierPath: String
    /// The watched folder.
    private let folder: String

    /// - Parameters:
    ///   - stateFolder: the folder of everything that outlives a command.
    ///   - folder: the absolute path of the watched folder.
    ///   - settings: the coordinator, and the options that decide what is made of the files.
    init(stateFolder: String, folder: String, settings: [String]) {
        self.folder = folder
        // A link to the folder is the same folder.
        let real = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        path = Self.path(stateFolder, ([real] + settings).map { "\($0.utf8.count):\($0)" }.joined())
        earlierPath = Self.path(stateFolder, folder)
    }

    private static func path(_ stateFolder: String, _ name: String) -> String {
        stateFolder + "/watched/" + ContentDigest(of: Data(name.utf8)).hex.prefix(32) + ".json"
    }

    /// Keeps other processes from the ledger for as long as the lock lives.
    /// - Throws: ``CommandFailure`` when another process has it, or it cannot be locked.
    func lock() throws -> LockFile {
        do {
            try FileManager.default.createDirectory(atPath: path.parentFolder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.usage, "\(path.parentFolder) cannot be made; choose another folder with --state.")
        }
        guard let lock = try LockFile(trying: LOCK_EX, at: path + ".lock") else {
            throw CommandFailure(
                .conflict,
                "Another cutfarm watch-folder does the same with \(folder.visible) already; stop that one first."
            )
        }
        return lock
    }

    /// Moves the ledger that earlier versions kept to ``path``, unless one lies there already. Whoever has it follows
    /// its jobs and moves its files, so only one command may go on with it: the first that starts, which need not be
    /// the one that wrote it. The others begin anew, and the farm gives them the jobs that it made of the same files.
    func takeEarlier() {
        guard access(path, F_OK) != 0, access(earlierPath, F_OK) == 0 else { return }
        // Who holds the lock is moving the ledger to a place of its own.
        guard let lock = try? LockFile(trying: LOCK_EX, at: earlierPath + ".lock") else { return }
        _ = rename(earlierPath, path)
        withExtendedLifetime(lock) {}
    }
}
