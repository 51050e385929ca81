import Foundation
import Glibc
package import Logging
import Synchronization
import Threads

/// A private PostgreSQL that lives as long as this program: made at the first start, used again at the next.
///
/// It listens on no network, only on a socket in a folder that nobody else may enter; it stops when this process is
/// killed; after its own crash it recovers at the next ``start()``. One process at a time uses a state folder.
package actor EmbeddedPostgreSQL {
    /// What the server needs to know at its start.
    package struct Configuration: Sendable, Hashable {
        /// The farm's state folder; the server's files go to `postgresql/` in it.
        package var stateFolder: String
        /// Whether what was committed survives a crash of the machine, beside the server's own. It is off in tests.
        package var isDurable = true
        /// The most connections at a time.
        package var connectionLimit = 40
        /// The longest wait for a start, recovery included.
        package var startLimit: Duration = .seconds(120)

        /// Describes a durable server.
        package init(stateFolder: String) { self.stateFolder = stateFolder }
    }

    static let user = "cutfarm"

    // Its thread starts the server, and is the parent whose end stops it.
    private let executor = ThreadExecutor(name: "postgresql")
    /// The server's own thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let configuration: Configuration
    private let layout: ServerLayout
    private let logger: Logger
    private var lock: FolderLock?
    private var child: ChildProcess?
    private var socketFolder = ""
    /// The length of the log that earlier starts wrote, in bytes.
    private var oldLogBytes = 0
    /// Set from any thread; ends the wait for a start that nobody wants any more.
    private let isCancelled = Atomic<Bool>(false)
    /// Whether the farm's database is known to be there.
    private var hasDatabase = false

    /// Describes a server; ``start()`` starts it.
    package init(_ configuration: Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        layout = ServerLayout(stateFolder: configuration.stateFolder)
    }

    deinit { executor.stop { [child] in child.map(Self.halt) } }

    /// Makes the data folder if there is none, starts the server and the farm's database in it.
    ///
    /// - Returns: where to connect: database and user `cutfarm`.
    /// - Throws: ``EmbeddedError``; ``DatabaseError`` when the new server does not answer. When the task is cancelled
    ///   it throws soon. Nothing that it started runs then.
    @discardableResult
    package func start() async throws -> ConnectionTarget {
        isCancelled.store(false, ordering: .relaxed)
        return try await withTaskCancellationHandler {
            if child == nil {
                do {
                    try await launch()
                } catch {
                    stop()
                    throw error
                }
            }
            return try target(database: Self.user)
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    /// Process id of the server while it runs.
    package var processID: Int32? { child?.id }

    /// Stops it in good order (open transactions are undone), by force after 20 s. Nothing happens when it is not
    /// running.
    package func stop() {
        // Also a start that waits for an answer: it gets none, and must not try again.
        isCancelled.store(true, ordering: .relaxed)
        hasDatabase = false
        if let child { Self.halt(child) }
        child = nil
        ServerLayout.removeShortFolder(socketFolder)
        socketFolder = ""
        lock = nil
    }

    /// Starts the server again whenever it dies, until the task is cancelled. Call after ``start()``.
    ///
    /// - Throws: ``EmbeddedError`` when it cannot be started again in five tries. A full disk is waited for without
    ///   end.
    package func supervise() async throws {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(100))
            guard let running = child, let code = running.poll() else { continue }
            logger.error("the farm's database ended by itself (\(code)); it is started again")
            child = nil
            try await relaunch()
        }
    }

    /// A lack of memory may pass in a while, and somebody makes room on a full disk at some time.
    private func relaunch() async throws {
        var failures = 0
        while true {
            do {
                return try await launch()
            } catch {
                let isFull = (error as? EmbeddedError)?.code == .noSpace
                if !isFull { failures += 1 }
                guard failures < 5 else { throw error }
                let pause = isFull ? 1 : 1 << (failures - 1)
                logger.error("the farm's database cannot be started again, next try in \(pause) s: \(error)")
                try await Task.sleep(for: .seconds(pause))
            }
        }
    }

    func target(database: String) throws(DatabaseError) -> ConnectionTarget {
        try ConnectionTarget(socketFolder: socketFolder, user: Self.user, database: database)
    }

    private func launch() async throws {
        let account = try ServerAccount.current()
        try layout.create(for: account)
        if lock == nil { lock = try FolderLock(path: layout.lock, folder: configuration.stateFolder) }
        let binaries = try ServerBinaries.find(version: dataVersion)
        try stopOrphans()
        let log = try openLog(account)
        defer { close(log) }
        if socketFolder.isEmpty { socketFolder = try layout.makeSocketFolder(for: account) }
        if dataVersion == nil { try initialise(binaries, account, log) }
        try await startServer(binaries, account, log)
    }

    /// Starts the server, and makes the farm's database in it unless it is there. When it throws no server runs.
    private func startServer(_ binaries: ServerBinaries, _ account: ServerAccount, _ log: Int32) async throws {
        let server = try ChildProcess.start(account.command(command(binaries)), output: log)
        child = server
        do {
            try waitUntilReady(server)
            try await createDatabase()
            try checkCancellation()
        } catch {
            // It may have ended by itself, or have been stopped meanwhile.
            if child?.id == server.id {
                Self.halt(server)
                child = nil
            }
            throw error
        }
    }

    /// Major version of the data folder; nil when there is none.
    private var dataVersion: Int? {
        guard let text = try? String(contentsOfFile: layout.data + "/PG_VERSION", encoding: .utf8) else { return nil }
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// We hold the lock: whatever runs in our data folder was left by a process that is gone, and a server started
    /// beside it would look healthy while the old one answers.
    private func stopOrphans() throws(EmbeddedError) {
        let left = PostmasterFile(dataFolder: layout.data)
        if !ServerProcesses.running(in: layout.data).isEmpty {
            logger.notice("a database that an earlier run left behind is stopped")
            let rest = ServerProcesses.stop(in: layout.data, postmaster: left?.process, limit: 10)
            guard rest.isEmpty else {
                throw EmbeddedError(
                    .notStarted,
                    "An old PostgreSQL (process \(rest[0])) does not stop; end it by hand."
                )
            }
        }
        // Its process id may be somebody else's by now, and PostgreSQL would refuse to start for that.
        unlink(PostmasterFile.path(in: layout.data))
        if let left, left.socketFolder != socketFolder { ServerLayout.removeShortFolder(left.socketFolder) }
    }

    private func openLog(_ account: ServerAccount) throws(EmbeddedError) -> Int32 {
        var status = stat()
        let isLarge = stat(layout.log, &status) == 0 && status.st_size > 8 << 20
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (isLarge ? O_TRUNC : 0)
        let log = open(layout.log, flags, 0o600)
        guard log >= 0 else { throw EmbeddedError("\(layout.log) cannot be opened", errno: errno) }
        oldLogBytes = max(0, lseek(log, 0, SEEK_END))
        return log
    }

    private func initialise(_ binaries: ServerBinaries, _ account: ServerAccount, _ log: Int32) throws(EmbeddedError) {
        try remove(layout.unfinishedData)
        var words = [binaries.initdb, "-D", layout.unfinishedData] + Self.initialisation
        if !configuration.isDurable { words.append("--no-sync") }
        guard try run(words, account, log) == 0 else { throw failed("be made", needing: Self.newDataBytes) }
        guard rename(layout.unfinishedData, layout.data) == 0 else {
            throw EmbeddedError("\(layout.data) cannot be made", errno: errno)
        }
    }

    /// Runs `words` as the server's user to their end.
    private func run(_ words: [String], _ account: ServerAccount, _ log: Int32) throws(EmbeddedError) -> Int32 {
        try wait(for: ChildProcess.start(account.command(words), output: log))
    }

    /// How a data folder is made.
    private static let initialisation = [
        "-U", user, "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions",
    ]

    private func remove(_ folder: String) throws(EmbeddedError) {
        guard access(folder, F_OK) == 0 else { return }
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            throw EmbeddedError(.system, "\(folder) cannot be removed: \(error.localizedDescription)")
        }
    }

    /// Blocks until `child` ends, or ends it with its own children when the start is cancelled.
    private func wait(for child: ChildProcess) throws(EmbeddedError) -> Int32 {
        while true {
            if let code = child.poll() { return code }
            guard !isUnwanted else {
                kill(-child.id, SIGKILL)
                _ = child.wait()
                throw EmbeddedError.startCancelled
            }
            usleep(5_000)
        }
    }

    private var isUnwanted: Bool { isCancelled.load(ordering: .relaxed) }

    private func checkCancellation() throws(EmbeddedError) {
        if isUnwanted { throw EmbeddedError.startCancelled }
    }

    private func command(_ binaries: ServerBinaries) -> [String] {
        var settings = [
            "listen_addresses=",
            "unix_socket_directories=\"\(socketFolder.replacingOccurrences(of: "\"", with: "\"\""))\"",
            "unix_socket_permissions=0700", "max_connections=\(configuration.connectionLimit)",
            "shared_buffers=64MB", "logging_collector=off", "log_destination=stderr", "log_timezone=UTC",
            "timezone=UTC", "autovacuum_naptime=15s", "max_wal_size=512MB",
        ]
        if !configuration.isDurable { settings += ["fsync=off", "full_page_writes=off"] }
        return [binaries.postgres, "-D", layout.data] + settings.flatMap { ["-c", $0] }
    }

    /// Ready is what the file of *this* process says; another one's would be an orphan's.
    private func waitUntilReady(_ server: ChildProcess) throws(EmbeddedError) {
        let end = ContinuousClock.now + configuration.startLimit
        while ContinuousClock.now < end {
            if let file = PostmasterFile(dataFolder: layout.data), file.process == server.id, file.isReady { return }
            if server.poll() != nil {
                child = nil
                throw failed("be started", needing: Self.startBytes)
            }
            try checkCancellation()
            usleep(5_000)
        }
        throw failed("be started in time", needing: Self.startBytes)
    }

    /// Why, as far as this start's part of the log and the disk tell.
    /// - Parameter needing: bytes that the disk must have for it.
    private func failed(_ what: String, needing space: UInt64) -> EmbeddedError {
        let written = FileManager.default.contents(atPath: layout.log)?.dropFirst(oldLogBytes) ?? Data()
        let last = String(decoding: written, as: UTF8.self).split(separator: "\n").suffix(3).joined(separator: " | ")
        if last.contains(String(cString: strerror(ENOSPC))) || isShortOfSpace(space) {
            return EmbeddedError(
                .noSpace,
                "There is no space left in \(configuration.stateFolder) for the farm's database; free some, or give another "
                    + "--state folder."
            )
        }
        return EmbeddedError(.notStarted, "The farm's database could not \(what); see \(layout.log). It said: \(last)")
    }

    private func isShortOfSpace(_ bytes: UInt64) -> Bool { layout.freeBytes.map { $0 < bytes } ?? false }

    /// The most that a start writes before it answers: a segment of the log, which recovery may need.
    private static let startBytes: UInt64 = 17 << 20

    /// What a data folder takes, and some for its first work.
    private static let newDataBytes: UInt64 = 64 << 20

    private static func halt(_ server: ChildProcess) {
        for signal in [SIGINT, SIGQUIT, SIGKILL] {
            kill(server.id, signal)
            for _ in 0..<1000 {
                if server.poll() != nil { return }
                usleep(10_000)
            }
        }
    }

    private func createDatabase() async throws {
        guard !hasDatabase else { return }
        let connection = try await Connection.open(target(database: "postgres"), logger: logger)
        let isNew = try await connection.run { connection in
            let found = try connection.query("SELECT 1 FROM pg_database WHERE datname = $1", [Self.user])
            if found.isEmpty { try connection.execute("CREATE DATABASE \(Self.user)") }
            return found.isEmpty
        }
        // It is a copy too, of template1: what that lacks shows when somebody connects.
        if isNew { _ = try await Connection.open(target(database: Self.user), logger: logger) }
        hasDatabase = true
    }
}

extension EmbeddedPostgreSQL {
    /// The newest PostgreSQL that is installed on this machine.
    /// - Throws: ``EmbeddedError`` when there is none, with the command that installs it.
    package static func installed() throws(EmbeddedError) -> (version: Int, folder: String) {
        let binaries = try ServerBinaries.find(version: nil)
        return (binaries.version, binaries.folder)
    }
}
