import Foundation
import TestSupport
import Testing

/// What a process in the sandbox can do, tried by real system calls; and that the same calls work outside of it, so
/// that a refusal is the sandbox's.
@Suite struct CageTests {
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

    @Test func processorTimeAndFilesHaveLimits() async throws {
        #expect(try await probe.end("spin", "-", limits: ["--cpu", "1"]) == SIGXCPU)
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

    @Test func onlyNamedFilesAreRead() async throws {
        let seen = try await probe.attempt([("read", named)], readable: [named])
        #expect(seen == ["state": 1, "read": 0])
        for path in [other, "/etc/passwd", folder.url.path] {
            #expect(try await probe.attempt([("read", path)], readable: [named]) == ["state": 1, "read": EACCES])
        }
        #expect(try await probe.attempt([("read", other)], caged: false) == ["state": 0, "read": 0])
    }

    @Test func namedFilesStayAsTheyAre() async throws {
        let attempts = [("write", named), ("write-emptying", named), ("remove", named)]
        let results = try await probe.attempt(attempts, readable: [named], writable: [work])
        #expect(results == ["state": 1, "write": EACCES, "write-emptying": EACCES, "remove": EACCES])
        #expect(FileManager.default.contents(atPath: named) == Data("media".utf8))
    }

    /// What Landlock does not see, or not before ABI 3: refused by the filter of system calls, so on any kernel.
    @Test(arguments: [
        "truncate", "read-emptying", "odd-emptying", "old-emptying", "hidden-flags", "mode", "open-mode", "open-mode-2",
        "open-owner", "open-attribute", "open-attribute-removal",
    ])
    func namedFilesStayAsTheyAreOnOlderKernels(what: String) async throws {
        #expect(try await probe.attempt([(what, named)], readable: [named]) == ["state": 1, what: EPERM])
        #expect(FileManager.default.contents(atPath: named) == Data("media".utf8))
    }

    @Test func onlyPlainFilesAreMadeAndOnlyInTheWorkFolder() async throws {
        let inside = [
            ("create", work + "/a"), ("write-emptying", work + "/a"), ("folder", work + "/b"), ("link", work + "/c"),
            ("remove", work + "/a"),
        ]
        let results = try await probe.attempt(inside, writable: [work])
        #expect(
            results == ["state": 1, "create": 0, "write-emptying": 0, "folder": EACCES, "link": EACCES, "remove": 0]
        )
        let outside = try await probe.attempt([("create", folder.path("x"))], writable: [work])
        #expect(outside["create"] == EACCES)
        #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    }

    @Test(arguments: [
        ("socket", EPERM), ("unix", EPERM), ("exec", EPERM), ("fork", EPERM), ("signal", EPERM),
        ("thread-signal", EPERM), ("limits", EPERM), ("memory", EPERM), ("messages", EPERM), ("semaphore", EPERM),
        ("queue", EPERM), ("environment", EACCES),
    ])
    func noNetworkAndNoOtherProcess(what: String, refusal: Int32) async throws {
        let caged = try await probe.attempt([(what, "/bin/true")], readable: ["/bin/true"])
        #expect(caged == ["state": 1, what: refusal])
        guard what != "exec" else { return }
        #expect(try await probe.attempt([(what, "/bin/true")], caged: false) == ["state": 0, what: 0])
    }

    @Test func threadsAndItsOwnSignalsAndLimitsWork() async throws {
        let results = try await probe.attempt([("thread", "-"), ("own-signal", "-"), ("own-limits", "-")])
        #expect(results == ["state": 1, "thread": 0, "own-signal": 0, "own-limits": 0])
    }

    @Test func aMissingFileLeavesTheSandboxIncomplete() async throws {
        #expect(try await probe.attempt([], readable: [folder.path("missing")])["state"] == 0)
    }
}
