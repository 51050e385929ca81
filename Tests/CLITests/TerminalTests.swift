import CompositionModel
import Foundation
import PostgreSQL
import TestDatabase
import TestSupport
import Testing
import WireProtocol

@testable import CLI

/// Commands as they behave at a terminal, which Python's pty makes.
@Suite struct TerminalTests {
    /// Runs a program at a terminal of its own until it ends, or until it has written `marker`; then sends it a signal.
    private static let atTerminal = """
        import os, pty, select, signal, sys
        answer, marker, number, argv = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3]), sys.argv[4:]
        child, terminal = pty.fork()
        if child == 0:
            os.execv(argv[0], argv)
        seen, asked, sent = b"", False, False
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            seen += piece
            if answer and not asked and b"oken for" in seen:
                os.write(terminal, answer.encode() + b"\\n")
                asked = True
            if marker and not sent and marker in seen:
                os.kill(child, number)
                sent = True
        status = os.waitpid(child, 0)[1]
        sys.stdout.buffer.write(seen)
        sys.exit(os.waitstatus_to_exitcode(status))
        """

    private func run(
        _ arguments: [String],
        environment: [String] = [],
        answer: String = "",
        until marker: String = ""
    ) async throws -> Shell.Outcome {
        try await Shell.run(
            "env",
            environment + ["python3", "-c", Self.atTerminal, answer, marker, "\(SIGINT)", Programs.cutfarm] + arguments
        )
    }

    /// A coordinator of its own with tokens, at a terminal, until it has said where it is.
    @Test func aCoordinatorSaysHowToGoOn() async throws {
        let folder = try TemporaryFolder()
        try Data("me view,submit,admin 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: folder.path("tokens")))
        let target = try await TestPostgreSQL.shared.database()
        let outcome = try await run(
            [
                "coordinator", "--database-url", target.description, "--state", folder.path("state"), "--port", "0",
                "--token-file", folder.path("tokens"),
            ],
            until: "one for each core"
        )
        #expect(outcome.text.contains("Dashboard   http://127.0.0.1:"), "\(outcome.text)")
        #expect(outcome.text.contains(/Sign in     http:\/\/127.0.0.1:[0-9]+\/signin\/[0-9a-f]{64}/))
        #expect(outcome.text.contains("cutfarm worker --coordinator http://127.0.0.1:"))
        #expect(!outcome.text.contains("0123456789abcdef\r") && !outcome.text.contains("--insecure-token"))
        #expect(outcome.exitCode == 0)
    }

    /// The token that is typed is not shown, and serves later commands until somebody signs out.
    @Test func aTokenIsTypedOnceAndKept() async throws {
        let farm = try await ScriptedCoordinator()
        let path = farm.folder.path("config/cutfarm/credentials")
        let environment = [
            "-u", "CUTFARM_TOKEN", "-u", "CUTFARM_COORDINATOR", "XDG_CONFIG_HOME=\(farm.folder.path("config"))",
        ]
        let who = #"{"owner":"me","scopes":["submit","view"],"csrf":"x"}"#
        try farm.server.serve(Data(who.utf8), at: "/v1/session.reply")
        let typed = try await run(["login", farm.server.url], environment: environment, answer: "typed-secret-0000")
        #expect(typed.exitCode == 0, "\(typed.text)")
        #expect(typed.text.contains("as me (submit, view)") && !typed.text.contains("typed-secret"), "\(typed.text)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let kept = try #require(try Credentials.load(path))
        #expect(
            kept == Credentials(coordinator: farm.server.url, token: "typed-secret-0000", allowsInsecureToken: false)
        )
        chmod(path, 0o644)
        #expect(throws: CommandFailure.self) { try Credentials.load(path) }
        let out = try await Shell.run("env", environment + [Programs.cutfarm, "logout"])
        #expect(out.exitCode == 0 && !FileManager.default.fileExists(atPath: path))
        #expect(
            try await Shell.run("env", environment + [Programs.cutfarm, "logout"]).text.contains("Nobody was signed in")
        )
    }

    /// A token that is kept for one coordinator is not shown to another.
    @Test func aKeptTokenGoesToItsCoordinatorOnly() async throws {
        let folder = try TemporaryFolder()
        let kept = Credentials(coordinator: "http://127.0.0.1:9", token: "secret", allowsInsecureToken: false)
        try kept.save(folder.path("cutfarm/credentials"))
        let environment = ["-u", "CUTFARM_TOKEN", "-u", "CUTFARM_COORDINATOR", "XDG_CONFIG_HOME=\(folder.path(""))"]
        let other = ["jobs", "--coordinator", "http://127.0.0.1:10"]
        let refused = try await Shell.run("env", environment + [Programs.cutfarm] + other)
        #expect(
            refused.exitCode == 3 && refused.errors.contains("cutfarm login http://127.0.0.1:10"),
            "\(refused.errors)"
        )
        let away = try await Shell.run("env", environment + [Programs.cutfarm, "jobs"])
        #expect(away.exitCode == 5 && away.errors.contains("http://127.0.0.1:9"), "\(away.errors)")
    }

    /// A port that is taken is said before a database is made.
    @Test func aTakenPortIsSaidFirst() async throws {
        let farm = try await ScriptedCoordinator()
        let port = try #require(farm.server.url.split(separator: ":").last).description
        try Data("me view 0123456789abcdef\n".utf8).write(to: URL(fileURLWithPath: farm.folder.path("tokens")))
        let outcome = try await Shell.run(
            Programs.cutfarm,
            [
                "coordinator", "--state", farm.folder.path("state"), "--port", port,
                "--token-file", farm.folder.path("tokens"),
            ]
        )
        #expect(
            outcome.exitCode == 2 && outcome.errors.contains("Port \(port) of 127.0.0.1 is taken"),
            "\(outcome.errors)"
        )
        #expect(!FileManager.default.fileExists(atPath: farm.folder.path("state")))
    }

    @Test func coloursAreForTerminalsThatWantThem() {
        #expect(Paint.isOn([:], isTerminal: true) && !Paint.isOn([:], isTerminal: false))
        #expect(!Paint.isOn(["NO_COLOR": "1"], isTerminal: true) && Paint.isOn(["NO_COLOR": ""], isTerminal: true))
        #expect(!Paint.isOn(["CLICOLOR": "0"], isTerminal: true) && !Paint.isOn(["TERM": "dumb"], isTerminal: true))
        #expect(Paint.isOn(["CLICOLOR_FORCE": "1"], isTerminal: false))
        #expect(!Paint.isOn(["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], isTerminal: false))
    }

    /// Columns stay aligned where some cells are painted.
    @Test func paintTakesNoRoom() {
        let text = TextTable(["state", "title"], [["\u{1b}[32mdone\u{1b}[0m", "a"], ["queued", "b"]]).text
        let lines = text.replacing(/\u{1b}\[[0-9]+m/, with: "").split(separator: "\n")
        #expect(lines == ["state   title", "done    a", "queued  b"])
    }

    /// Control-C below a bar that is being drawn: the sentence begins in the first column.
    @Test func controlCLeavesACleanLine() async throws {
        let farm = try await ScriptedCoordinator()
        var job = try farm.job()
        job.state = .rendering
        job.permille = 400
        try farm.serve(job)
        try farm.server.serve(try WireJSON.encode(job), at: "/v1/jobs/\(job.id)/.bytes")
        try farm.server.serve(Data("60".utf8), at: "/v1/jobs/\(job.id)/events.delay")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let outcome = try await run(
            [
                "watch", job.id.description, "--coordinator", farm.server.url,
                "--token-file", farm.folder.path("token"),
            ],
            until: "40 %"
        )
        #expect(outcome.exitCode == 130, "\(outcome.text)")
        let lines = outcome.text.split(whereSeparator: \.isNewline)
        #expect(lines.contains { $0.hasSuffix("40 %") } && lines.last?.hasPrefix("Interrupted. ") == true, "\(lines)")
    }

    @Test func aDoctorNamesWhatIsMissing() async throws {
        let folder = try TemporaryFolder()
        let environment = ["-u", "CUTFARM_TOKEN", "-u", "CUTFARM_COORDINATOR", "XDG_CONFIG_HOME=\(folder.path(""))"]
        let state = ["doctor", "--state", folder.path("state")]
        let healthy = try await Shell.run("env", environment + [Programs.cutfarm] + state)
        for name in ["renderer", "sandbox", "namespaces", "PostgreSQL", "fonts", "disk", "open files", "coordinator"] {
            #expect(healthy.text.contains(name), "\(healthy.text)")
        }
        // Root is told as whom its renderings work.
        #expect(healthy.text.contains("Renderings that root starts") == (geteuid() == 0))
        let farm = ["--coordinator", "http://127.0.0.1:9"]
        let sick = try await Shell.run("env", environment + [Programs.cutfarm] + state + farm)
        #expect(sick.exitCode == 2 && sick.text.contains("✗  coordinator"), "\(sick.text)")
        #expect(sick.errors.contains("must be mended"))
    }

    /// Where nothing can be stored: no disk, and a path that leads through a file.
    @Test func aDoctorRefusesAFolderThatCannotBe() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: file))
        for (state, reason) in [("/proc/x", "nothing may be written in /proc"), (file + "/x", "\(file) is no folder")] {
            let said = try await Shell.run(Programs.cutfarm, ["doctor", "--state", state]).text
            #expect(said.contains("✗  disk") && said.contains("\(state) cannot be used: \(reason)."), "\(said)")
        }
    }

    /// What a worker says may hold anything.
    @Test func logsShowNothingThatATerminalObeys() async throws {
        let farm = try await ScriptedCoordinator()
        let job = try farm.job()
        let attempt = AttemptView(
            id: AttemptID(uuid: UUID()),
            worker: nil,
            workerName: "w\u{1b}[2J",
            state: .failed,
            started: Date(),
            ended: Date(),
            failure: Failure(code: "x", message: "x", isPermanent: false)
        )
        let task = TaskView(
            id: TaskID(uuid: UUID()),
            job: job.id,
            position: 0,
            kind: .picture,
            state: .failed,
            frames: nil,
            copiedCount: nil,
            startBorder: nil,
            endBorder: nil,
            attempts: [attempt],
            permille: 0,
            failure: nil,
            artifact: nil,
            statistics: nil
        )
        let log = AttemptLog(lines: [LogLine(at: Date(), text: "h264: \u{1b}[31mbad\u{7}")], next: 1)
        try farm.server.serve(try WireJSON.encode([task]), at: "/v1/jobs/\(job.id)/tasks")
        try farm.server.serve(try WireJSON.encode(log), at: "/v1/attempts/\(attempt.id)/log")
        try Data("secret".utf8).write(to: URL(fileURLWithPath: farm.folder.path("token")))
        let outcome = try await Shell.run(
            Programs.cutfarm,
            [
                "logs", "\(job.id)/1", "--coordinator", farm.server.url, "--token-file", farm.folder.path("token"),
            ]
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("task 1 (picture) · try 1 on w␛[2J · failed now"), "\(outcome.text)")
        #expect(outcome.text.contains("h264: ␛[31mbad␇") && !outcome.text.contains("\u{1b}"))
    }

    @Test func aTaskThatIsTriedAgainSaysWhatFails() throws {
        let attempts = ["first", "second"].map { message in
            AttemptView(
                id: AttemptID(uuid: UUID()),
                worker: nil,
                workerName: "w",
                state: .failed,
                started: Date(),
                ended: Date(),
                failure: Failure(code: "x", message: message, isPermanent: false)
            )
        }
        var task = TaskView(
            id: TaskID(uuid: UUID()),
            job: JobID(uuid: UUID()),
            position: 0,
            kind: .picture,
            state: .queued,
            frames: nil,
            copiedCount: nil,
            startBorder: nil,
            endBorder: nil,
            attempts: [attempts[0]],
            permille: 0,
            failure: nil,
            artifact: nil,
            statistics: nil
        )
        #expect(TaskTable.trouble(task) == "failed once: first")
        task.attempts = attempts
        #expect(TaskTable.trouble(task) == "failed 2 times, last: second")
        task.state = .completed
        #expect(TaskTable.trouble(task) == "failed 2 times, last: second")
        task.state = .cancelled
        #expect(TaskTable.trouble(task) == "")
    }
}
