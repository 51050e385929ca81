import Foundation
import TestSupport
import Testing

/// What a process in the sandbox can do, tried by real system calls; and that the same calls work outside of it, so
/// that a refusal is the sandbox's.
@Suite struct CageTests {
    private typealias Kernel = CageProbe.Kernel
    let folder: TemporaryFolder
    let probe: CageProbe
    let named: String
    let other: String
    let work: String

    init() async throws {
        folder = try TemporaryFolder()
        probe = try await CageProbe(in: folder)
        (named, other, work) = (folder.path("named"), folder.path("other"), folder.path("work"))
        for path in [named, other] { try Data("media".utf8).write(to: URL(fileURLWithPath: path)) }
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    }

    @Test func filesHaveALimit() async throws {
        let path = work + "/large"
        #expect(try await probe.end("fill", path, limits: ["--file-size", "1"], writable: [work]) == SIGXFSZ)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(size == 1 << 20)
    }

    @Test func theAddressSpaceHasALimit() async throws {
        let small = try await probe.attempt([("map", "-")], limits: ["--memory", "512"])
        #expect(small == ["state": 1, "map": ENOMEM])
        #expect(try await probe.attempt([("map", "-")], limits: ["--memory", "4096"]) == ["state": 1, "map": 0])
    }

    // MARK: Files

    @Test(arguments: CageProbe.Kernel.allCases)
    func onlyNamedFilesAreRead(kernel: CageProbe.Kernel) async throws {
        let seen = try await probe.attempt([("read", named)], readable: [named], kernel: kernel)
        #expect(seen == ["state": 1, "read": 0])
        for path in [other, "/etc/passwd", "/dev/null", "/proc/1/environ", "/sys/kernel"] {
            let read = try await probe.attempt([("read", path)], readable: [named], kernel: kernel)
            #expect(read == ["state": 1, "read": probe.hidden(kernel)], "\(path)")
        }
        let listed = try await probe.attempt(
            [("list", folder.url.path), ("environment", "-")],
            readable: [named],
            kernel: kernel
        )
        #expect(listed == ["state": 1, "list": EACCES, "environment": probe.hidden(kernel)])
        #expect(try await probe.attempt([("read", other)], caged: false) == ["state": 0, "read": 0])
    }

    /// Names, sizes and times of other files are hidden by the root folder; without it Landlock leaves them to be seen.
    @Test(arguments: CageProbe.Kernel.allCases)
    func whatIsNotNamedIsNotThere(kernel: CageProbe.Kernel) async throws {
        let hasRoot = probe.hidden(kernel) == ENOENT
        for path in [other, "/etc/passwd", "/usr/bin/env", "/proc/1"] {
            let found = try await probe.attempt([("stat", path)], readable: [named], kernel: kernel)
            #expect(found == ["state": 1, "stat": hasRoot ? ENOENT : 0], "\(path)")
        }
        #expect(try await probe.attempt([("stat", named)], readable: [named]) == ["state": 1, "stat": 0])
    }

    @Test(arguments: CageProbe.Kernel.allCases)
    func namedFilesStayAsTheyAre(kernel: CageProbe.Kernel) async throws {
        for what in ["write", "write-emptying", "remove"] {
            let result = try await probe.attempt(
                [(what, named)],
                readable: [named],
                writable: [work],
                kernel: kernel
            )
            // A mount that is only read says so first.
            #expect(result["state"] == 1 && [EACCES, EROFS, EBUSY].contains(result[what]), "\(what): \(result)")
        }
        #expect(FileManager.default.contents(atPath: named) == Data("media".utf8))
    }

    /// What Landlock does not see, or not before ABI 3: refused by the filter of system calls, so on any kernel.
    @Test(arguments: [
        ("truncate", ENOSYS), ("read-emptying", ENOSYS), ("odd-emptying", ENOSYS), ("old-emptying", ENOSYS),
        ("hidden-flags", ENOSYS), ("mode", EPERM), ("open-mode", EPERM), ("open-mode-2", ENOSYS),
        ("open-owner", ENOSYS), ("open-attribute", ENOSYS), ("open-attribute-removal", ENOSYS),
    ])
    func namedFilesStayAsTheyAreOnOlderKernels(what: String, refusal: Int32) async throws {
        let result = try await probe.attempt([(what, named)], readable: [named], kernel: .strict)
        #expect(result == ["state": 1, what: refusal])
        #expect(FileManager.default.contents(atPath: named) == Data("media".utf8))
    }

    @Test(arguments: CageProbe.Kernel.allCases)
    func onlyPlainFilesAreMadeAndOnlyInTheWorkFolder(kernel: CageProbe.Kernel) async throws {
        let inside = [
            ("create", work + "/a"), ("write-emptying", work + "/a"), ("folder", work + "/b"), ("link", work + "/c"),
            ("remove", work + "/a"),
        ]
        let results = try await probe.attempt(inside, writable: [work], kernel: kernel)
        #expect(results == ["state": 1, "create": 0, "write-emptying": 0, "folder": EPERM, "link": EPERM, "remove": 0])
        let outside = try await probe.attempt([("create", folder.path("x"))], writable: [work], kernel: kernel)
        #expect([EACCES, EROFS].contains(outside["create"]), "\(outside)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    /// A source may lie in the folder that is written in, where it stays as it is.
    @Test func aNamedFileWithinTheWorkFolder() async throws {
        let source = work + "/source"
        try Data("media".utf8).write(to: URL(fileURLWithPath: source))
        let attempts = [("read", source), ("create", work + "/made"), ("read", work + "/made")]
        let results = try await probe.attempt(attempts, readable: [source], writable: [work])
        #expect(results == ["state": 1, "read": 0, "create": 0])
        #expect(try FileManager.default.contentsOfDirectory(atPath: work).sorted() == ["made", "source"])
    }

    /// A device is opened only when it is itself what may be written.
    @Test(arguments: CageProbe.Kernel.allCases)
    func aDeviceThatIsNamed(kernel: CageProbe.Kernel) async throws {
        let named = try await probe.attempt([("write-emptying", "/dev/null")], writable: ["/dev/null"], kernel: kernel)
        #expect(named == ["state": 1, "write-emptying": 0])
        let folder = try await probe.attempt([("write-emptying", "/dev/null")], writable: ["/dev"], kernel: kernel)
        #expect(folder["write-emptying"] == (probe.hidden(kernel) == ENOENT ? EACCES : 0))
    }

    @Test func aMissingFileLeavesTheSandboxIncomplete() async throws {
        #expect(try await probe.attempt([], readable: [folder.path("missing")])["state"] == 0)
    }

    // MARK: Everything else

    /// Network, processes, signals, memory, and what processes share: each works outside.
    @Test(arguments: [
        ("socket", EPERM), ("unix", EPERM), ("fork", ENOSYS), ("signal", ENOSYS), ("thread-signal", ENOSYS),
        ("limits", ENOSYS), ("memory", ENOSYS), ("messages", ENOSYS), ("semaphore", ENOSYS), ("queue", ENOSYS),
        ("signal-owner", ENOSYS), ("signal-owner-2", ENOSYS), ("signal-mode", ENOSYS), ("signal-number", ENOSYS),
        ("code-now", ENOSYS), ("code-later", ENOSYS), ("process-affinity", EPERM), ("process-memory", ENOSYS),
        ("process-handle", ENOSYS), ("process-session", ENOSYS), ("process-trace", ENOSYS), ("exec", ENOSYS),
    ])
    func noNetworkAndNoOtherProcess(what: String, refusal: Int32) async throws {
        for kernel in CageProbe.Kernel.allCases {
            let caged = try await probe.attempt([(what, "/bin/true")], readable: ["/bin/true"], kernel: kernel)
            #expect(caged == ["state": 1, what: refusal], "\(kernel)")
        }
        guard what != "exec" else { return }
        #expect(try await probe.attempt([(what, "/bin/true")], caged: false) == ["state": 0, what: 0])
    }

    /// sched_getaffinity answers for every process that has a process ID. In a PID namespace no other one has.
    @Test(arguments: CageProbe.Kernel.allCases)
    func otherProcessesHaveNoID(kernel: CageProbe.Kernel) async throws {
        let result = try await probe.attempt([("process-id", "\(getpid())")], kernel: kernel)
        let hides = probe.kernelsHidingProcesses.contains(kernel)
        #expect(result == ["state": 1, "process-id": hides ? ESRCH : 0])
        let given = try await Shell.run("unshare", ["--user", "--map-root-user", "--pid", "--fork", "true"])
        if given.exitCode == 0 { #expect(hides == (kernel != .strict)) }
    }

    /// Its parent is told what ended it, also as the first process of a namespace, which ignores most signals.
    @Test(arguments: [("spin", SIGXCPU), ("abort", SIGABRT), ("fault", SIGSEGV)])
    func itEndsByItsOwnSignals(what: String, signal: Int32) async throws {
        for kernel in CageProbe.Kernel.allCases {
            let ended = try await probe.end(what, "-", limits: ["--cpu", "1"], kernel: kernel)
            #expect(ended == signal, "\(kernel)")
        }
    }

    /// Descriptors take no commands of devices, sockets and file systems.
    @Test(arguments: ["signal-owner-3", "signal-mode-2", "power-attribute"])
    func noCommands(what: String) async throws {
        #expect(try await probe.attempt([(what, named)], readable: [named]) == ["state": 1, what: ENOTTY])
    }

    /// What root may do outside, and a child that root starts may not.
    @Test(arguments: [
        ("power-schedule", ENOSYS), ("power-watch", ENOSYS), ("power-name", ENOSYS), ("power-mount", ENOSYS),
        ("power-groups", ENOSYS), ("power-root", ENOSYS), ("power-namespace", ENOSYS), ("power-priority", ENOSYS),
        ("power-device", EPERM), ("power-clock", ENOSYS),
    ])
    func noPowers(what: String, refusal: Int32) async throws {
        let path = work + "/device"
        for kernel in CageProbe.Kernel.allCases {
            let caged = try await probe.attempt([(what, path)], writable: [work], kernel: kernel)
            #expect(caged == ["state": 1, what: refusal], "\(kernel)")
        }
        // The mount is none, which only a process that may change mounts is told.
        let outside = try await probe.attempt([(what, path)], caged: false)
        if geteuid() == 0 { #expect(![EPERM, ENOSYS].contains(outside[what]), "\(outside)") }
    }

    @Test(arguments: CageProbe.Kernel.allCases)
    func noCapabilityIsLeft(kernel: CageProbe.Kernel) async throws {
        let caged = try await probe.attempt([("capabilities", "-")], kernel: kernel)
        #expect(caged == ["state": 1, "capabilities": EPERM])
        if geteuid() == 0 {
            #expect(try await probe.attempt([("capabilities", "-")], caged: false) == ["state": 0, "capabilities": 0])
        }
    }

    @Test(arguments: [CageProbe.Kernel.generous, .container])
    func itsUserIsNobody(kernel: CageProbe.Kernel) async throws {
        let result = try await probe.attempt([("user", "-")], kernel: kernel)
        #expect(result == ["state": 1, "user": probe.hidden(kernel) == ENOENT ? 0 : EPERM])
    }

    /// Root's child reads root's files and writes for root, and is nobody.
    @Test(.enabled { try await CageProbe.mayExchangeOwners() }, arguments: ["022", "077"])
    func rootsChildIsAnotherUser(mask: String) async throws {
        let secret = folder.path("secret")
        let onlyRoots: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        #expect(FileManager.default.createFile(atPath: secret, contents: Data("media".utf8), attributes: onlyRoots))
        let attempts = [("outside-user", "-"), ("read", secret), ("create", work + "/made")]
        let seen = try await probe.attempt(attempts, readable: [secret], writable: [work], mask: mask)
        #expect(seen == ["state": 1, "outside-user": EPERM, "read": 0, "create": 0])
        for path in [secret, work + "/made"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            let owners = [attributes[.ownerAccountID] as? Int, attributes[.groupOwnerAccountID] as? Int]
            #expect(owners == [0, 0], "\(path)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(path)")
        }
    }

    /// sysfs cannot exchange the owners of its files.
    @Test(.enabled(if: geteuid() == 0))
    func rootsChildStaysRootWhereOwnersCannotBeExchanged() async throws {
        let attempts = [("outside-user", "-"), ("capabilities", "-"), ("read", named)]
        let seen = try await probe.attempt(attempts, readable: [named], writable: ["/sys/devices"])
        #expect(seen == ["state": 1, "outside-user": ENOTSUP, "capabilities": EPERM, "read": 0])
    }

    @Test(arguments: ["number-x32", "number-32-bit"])
    func otherArchitecturesEndIt(what: String) async throws {
        #expect(try await probe.end(what, "-", limits: []) == SIGSYS)
    }

    @Test func threadsAndItsOwnSignalsAndLimitsWork() async throws {
        let results = try await probe.attempt([("thread", "-"), ("own-signal", "-"), ("own-limits", "-")])
        #expect(results == ["state": 1, "thread": 0, "own-signal": 0, "own-limits": 0])
    }

    /// Of all system calls just those answer that docs/security.md names; with the IDs of other processes where there is no
    /// PID namespace.
    @Test(arguments: [CageProbe.Kernel.generous, .strict])
    func everySystemCall(kernel: CageProbe.Kernel) async throws {
        let answers = try await probe.sweep(writable: work, kernel: kernel)
        let allowed = try SystemCallDocument.allowed()
        let unlisted = answers.filter { !allowed.contains($0.key) }
        #expect(unlisted == [:])
        #expect(answers["read"] != nil && answers["mmap"] != nil, "some answer, or nothing was tried")
        #expect(try FileManager.default.contentsOfDirectory(atPath: work) == [])
    }
}
