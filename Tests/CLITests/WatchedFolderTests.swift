import Client
import CompositionModel
import Foundation
import Synchronization
import TestSupport
import Testing
import Timing
import WireProtocol

@testable import CLI

/// What becomes of the files of a watched folder when the farm cannot take them all at once.
@Suite struct WatchedFolderTests {
    let farm: ScriptedCoordinator
    let incoming: String
    let archive: (done: String, failed: String)

    init() async throws {
        farm = try await ScriptedCoordinator()
        incoming = farm.folder.path("incoming")
        archive = (farm.folder.path("done"), farm.folder.path("failed"))
        for folder in [incoming, archive.done, archive.failed] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
    }

    private func write(_ path: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let old = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    }

    /// Puts a file in the place of another in one step.
    private func replace(_ path: String, _ text: String) throws {
        let next = farm.folder.path("next")
        try write(next, text)
        guard rename(next, path) == 0 else { throw POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Watches until all that lies there is done.
    private func watch(_ submit: @escaping @Sendable (FoundFile) async throws -> [JobView]) async throws {
        try await watch { file, _ in try await submit(file) }
    }

    /// Watches until all that lies there is done.
    /// - Parameter beforeReading: what happens before the bytes of a file are read for its digest.
    private func watch(
        beforeReading: @escaping @Sendable (FoundFile) -> Void = { _ in },
        _ submit: @escaping @Sendable (FoundFile, Int) async throws -> [JobView]
    ) async throws {
        let watched = WatchedFolder(
            look: FolderLook(folder: incoming),
            connection: farm.connection,
            submit: submit,
            contents: { [incoming] in
                beforeReading($0)
                return FileManager.default.contents(atPath: incoming + "/" + $0.name).map { ContentDigest(of: $0) }
            },
            done: archive.done,
            failed: archive.failed,
            interval: .seconds(1),
            once: true
        )
        try await watched.run(
            WatchLedger(at: LedgerPlace(stateFolder: farm.folder.path("state"), folder: incoming, settings: [])),
            SettledFiles(settleMilliseconds: 100)
        )
    }

    /// A job that is completed, and that the farm knows.
    private func job() throws -> JobView {
        let job = try farm.job()
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        return job
    }

    /// The farm refuses the first files, since their owner has enough to do or a disk is full; they are tried again.
    @Test(arguments: [(429, "over_quota"), (507, "no_space"), (500, "internal")])
    func aFileThatTheFarmCannotTakeYetWaits(status: Int, code: String) async throws {
        for name in ["a.mov", "b.mov"] { try write(incoming + "/" + name, name) }
        let asked = Mutex<[String]>([])
        try await watch { file in
            let count = asked.withLock { asked in
                asked.append(file.name)
                return asked.count
            }
            guard count > 3 else {
                throw ClientError.problem(Problem(status: status, code: code, title: "T", detail: "Later."))
            }
            return [try job()]
        }
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt", "b.mov", "b.mov.cutfarm.txt"])
        #expect(try names(archive.failed).isEmpty && names(incoming).isEmpty)
        // The one that was tried least often goes first; only where the fault may be the file's own both are tried at a look.
        let order = asked.withLock(\.self)
        #expect(order.prefix(2) == ["a.mov", "b.mov"], "\(order)")
    }

    /// Another job's movie goes to the same place, the folder there does not answer, or too few machines are there for
    /// an audit: that may end, and no other file waits for it.
    @Test(arguments: ["target_taken", "output_folder_silent", "no_auditor"])
    func aFileWhoseTurnHasNotComeIsTriedAgain(code: String) async throws {
        for name in ["a.mov", "b.mov"] { try write(incoming + "/" + name, name) }
        let asked = Mutex<[String]>([])
        try await watch { file in
            let count = asked.withLock { asked in
                asked.append(file.name)
                return asked.count { $0 == "a.mov" }
            }
            guard file.name == "b.mov" || count > 4 else {
                throw ClientError.problem(Problem(status: 409, code: code, title: "T", detail: "Later."))
            }
            return [try job()]
        }
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt", "b.mov", "b.mov.cutfarm.txt"])
        #expect(try names(archive.failed).isEmpty && names(incoming).isEmpty)
        #expect(asked.withLock(\.self) == ["a.mov", "b.mov", "a.mov", "a.mov", "a.mov", "a.mov"])
    }

    /// Each attempt sends the file for an hour before the farm says that it cannot take it yet. The pauses grow all the
    /// same.
    @Test func thePausesGrowAlsoWhenAttemptsTakeLong() async throws {
        try write(incoming + "/a.mov", "a")
        let stopwatch = Stopwatch(on: farm.connection.clock)
        let attempts = Mutex<[(start: Duration, end: Duration)]>([])
        try await watch { _ in
            let start = stopwatch.elapsed
            try await farm.connection.clock.sleep(for: .seconds(3600))
            let count = attempts.withLock { attempts in
                attempts.append((start, stopwatch.elapsed))
                return attempts.count
            }
            guard count > 4 else {
                throw ClientError.problem(Problem(status: 409, code: "target_taken", title: "T", detail: "Later."))
            }
            return [try job()]
        }
        let times = attempts.withLock(\.self)
        let pauses = zip(times, times.dropFirst()).map { $1.start - $0.end }
        #expect(pauses == [1, 2, 4, 8].map { Duration.seconds($0) })
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt"])
    }

    /// A job that is not finished; the farm knows it, and cancels it when it is asked to.
    private func unfinished() throws -> JobView {
        var job = try farm.job()
        job.state = .rendering
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        var cancelled = job
        cancelled.state = .cancelled
        try farm.server.serve(try WireJSON.encode(cancelled), at: "/v1/jobs/\(job.id)/cancel.reply")
        return job
    }

    /// The job of the earlier version is cancelled before the new one is submitted, so that their movies do not
    /// compete.
    @Test func aFileThatIsReplacedWinsOverItsEarlierVersion() async throws {
        let path = incoming + "/a.mov"
        try write(path, "first")
        let (old, new) = (try unfinished(), try job())
        let cancelling = "/v1/jobs/\(old.id)/cancel"
        let cancelledBefore = Mutex<[Int]>([])
        let watching = Task {
            try await watch { file in
                cancelledBefore.withLock { $0.append(farm.server.count("POST", cancelling)) }
                return [file.byteCount == 5 ? old : new]
            }
        }
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(old.id)") > 0 }
        try replace(path, "the second")
        try await watching.value
        #expect(cancelledBefore.withLock(\.self) == [0, 1])
        #expect(farm.server.count("POST", cancelling) == 1)
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt"] && names(archive.failed).isEmpty)
        #expect(text(archive.done + "/a.mov") == "the second")
    }

    /// A version that is replaced once the farm has taken it, before its digest is known or while it is read, is not
    /// kept with the digest of the next one: that has other bytes, and cancels its job.
    @Test(arguments: [true, false]) func aFileThatIsReplacedBeforeItsDigestIsKnown(whileReading: Bool) async throws {
        let path = incoming + "/a.mov"
        try write(path, "first")
        let (old, new) = (try unfinished(), try job())
        let isReplaced = Mutex(false)
        @Sendable func replaceOnce() throws {
            let isFirst = isReplaced.withLock { isReplaced in
                defer { isReplaced = true }
                return !isReplaced
            }
            if isFirst { try replace(path, "the second") }
        }
        @Sendable func submit(_ file: FoundFile, _ round: Int) throws -> [JobView] {
            guard file.byteCount == 5 else { return [new] }
            if !whileReading { try replaceOnce() }
            return [old]
        }
        try await watch(beforeReading: { _ in if whileReading { try? replaceOnce() } }, submit)
        #expect(farm.server.count("POST", "/v1/jobs/\(old.id)/cancel") == 1)
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt"] && names(archive.failed).isEmpty)
        #expect(text(archive.done + "/a.mov") == "the second")
    }

    /// Who sets another time of change writes no other bytes.
    @Test func aFileThatIsTouchedKeepsItsJob() async throws {
        let path = incoming + "/a.mov"
        try write(path, "first")
        let job = try unfinished()
        let count = Mutex(0)
        let watching = Task {
            try await watch { _ in
                count.withLock { $0 += 1 }
                return [job]
            }
        }
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(job.id)") > 0 }
        let touched = Date(timeIntervalSince1970: 2_000_000)
        try FileManager.default.setAttributes([.modificationDate: touched], ofItemAtPath: path)
        try await waitUntil { count.withLock(\.self) == 2 }
        var done = job
        done.state = .completed
        try farm.server.serve(try WireJSON.encode(done), at: "/v1/jobs/\(job.id)/.bytes")
        try await watching.value
        #expect(farm.server.count("POST", "/v1/jobs/\(job.id)/cancel") == 0)
        #expect(try names(archive.done) == ["a.mov", "a.mov.cutfarm.txt"])
    }

    /// The farm knows the first version by its bytes, and gives the job that was cancelled; another is made in its
    /// place.
    @Test func aVersionThatComesBackHasAnotherJob() async throws {
        let path = incoming + "/a.mov"
        try write(path, "first")
        let (first, second) = (try unfinished(), try unfinished())
        let last = try job()
        let asked = Mutex<[String]>([])
        let watching = Task {
            try await watch { (file: FoundFile, round: Int) in
                let isBack = asked.withLock { asked in
                    asked.append("\(file.byteCount) \(round)")
                    return asked.contains("6 0")
                }
                guard file.byteCount == 5 else { return [second] }
                guard isBack else { return [first] }
                var cancelled = first
                cancelled.state = .cancelled
                return [round == 0 ? cancelled : last]
            }
        }
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(first.id)") > 0 }
        try replace(path, "second")
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(second.id)") > 0 }
        try replace(path, "first")
        try await watching.value
        #expect(asked.withLock(\.self) == ["5 0", "6 0", "5 0", "5 1"])
        #expect(text(archive.done + "/a.mov") == "first")
    }

    /// The name of a file is forgotten once its last version is done. The first version, which was replaced before, is
    /// then dropped in again, and the command was started again meanwhile.
    @Test func aVersionThatComesBackUnderAForgottenNameHasAnotherJob() async throws {
        let path = incoming + "/a.mov"
        try write(path, "first")
        let first = try unfinished()
        let (second, last) = (try job(), try job())
        let watching = Task { try await watch { file in [file.byteCount == 5 ? first : second] } }
        try await waitUntil { farm.server.count("GET", "/v1/jobs/\(first.id)") > 0 }
        try replace(path, "second")
        try await watching.value
        // Nothing lies there now, so that one look forgets the name.
        try await watch { _ in [] }

        var cancelled = first
        cancelled.state = .cancelled
        try farm.server.serve(try WireJSON.encode(cancelled), at: "/v1/jobs/\(first.id)/.bytes")
        try write(path, "first")
        let rounds = Mutex<[Int]>([])
        try await watch { [cancelled] (_: FoundFile, round: Int) in
            rounds.withLock { $0.append(round) }
            return [round == 0 ? cancelled : last]
        }
        #expect(rounds.withLock(\.self) == [0, 1])
        #expect(try names(archive.failed).isEmpty && names(incoming).isEmpty)
        #expect(text(archive.done + "/a-2.mov") == "first")
    }

    /// A job that its owner cancelled is reported as cancelled when its file is dropped in again.
    @Test func aJobThatItsOwnerCancelledStaysTheJobOfItsFile() async throws {
        try write(incoming + "/a.mov", "first")
        var cancelled = try farm.job()
        cancelled.state = .cancelled
        try farm.server.serve(try WireJSON.encode(cancelled), at: "/v1/jobs/\(cancelled.id)/.bytes")
        let rounds = Mutex<[Int]>([])
        try await watch { [cancelled] (_: FoundFile, round: Int) in
            rounds.withLock { $0.append(round) }
            return [cancelled]
        }
        #expect(rounds.withLock(\.self) == [0])
        #expect(try names(archive.failed) == ["a.mov", "a.mov.cutfarm.txt"])
    }

    /// The farm has a fault whenever it is asked for one file: the others go on, and so do their jobs.
    @Test func aFaultStopsOnlyTheFileThatMeetsIt() async throws {
        for name in ["a.mov", "b.mov"] { try write(incoming + "/" + name, name) }
        let watching = Task {
            try await watch { file in
                guard file.name == "b.mov" else { throw CommandFailure(.internalError, "A fault.") }
                return [try job()]
            }
        }
        try await waitUntil { try names(archive.done) == ["b.mov", "b.mov.cutfarm.txt"] }
        watching.cancel()
        _ = await watching.result
        #expect(try names(incoming) == ["a.mov"] && names(archive.failed).isEmpty)
    }

    @Test func aFileThatIsRefusedIsMovedAway() async throws {
        try write(incoming + "/a.mov", "no media")
        try await watch { _ in throw CommandFailure(.usage, "It is no media.") }
        #expect(try names(archive.failed) == ["a.mov", "a.mov.cutfarm.txt"] && names(incoming).isEmpty)
    }

    /// The file of yesterday has the same name.
    @Test func whatIsDoneReplacesNothing() async throws {
        for (name, text) in [
            ("a.mov", "first"), ("a.mov.cutfarm.txt", "1"), ("a-2.mov", "second"), ("a-3.mov.cutfarm.txt", "3"),
        ] { try write(archive.done + "/" + name, text) }
        try write(incoming + "/a.mov", "third")
        try await watch { _ in [try job()] }
        let found = try names(archive.done).map { "\($0): \(text(archive.done + "/" + $0)?.prefix(14) ?? "")" }
        #expect(
            found == [
                "a-2.mov: second", "a-3.mov.cutfarm.txt: 3", "a-4.mov: third", "a-4.mov.cutfarm.txt: a.mov, 5 bytes",
                "a.mov: first", "a.mov.cutfarm.txt: 1",
            ]
        )
        #expect(try names(incoming).isEmpty)
    }

    @Test func aNumberStandsBeforeTheEnding() {
        #expect([1, 2].map { ArchiveFolder.name("a.b.mov", $0) } == ["a.b.mov", "a.b-2.mov"])
        #expect(ArchiveFolder.name("reel", 12) == "reel-12")
    }
}
