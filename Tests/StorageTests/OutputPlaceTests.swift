import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

@testable import Storage

/// Movies that are put into output folders.
@Suite struct OutputPlaceTests {
    let folder: TemporaryFolder
    let store: ArtifactStore
    let exports: String

    init() throws {
        folder = try TemporaryFolder()
        store = try ArtifactStore(root: folder.path("store"))
        exports = folder.path("exports")
        try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: false)
    }

    private func movie(_ text: String = "the reel") throws -> StoredFile { try store.open(store.put(Data(text.utf8))) }

    private func place(_ target: String) throws -> OutputPlace {
        try #require(try OutputFolders([exports]).place(OutputTarget(target)))
    }

    private func bytes(_ name: String) -> String? {
        FileManager.default.contents(atPath: exports + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }

    private func names(_ below: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: exports + "/" + below).sorted()
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: exports + "/" + name))
    }

    @Test func itLiesThereAsALinkThatNobodyChanges() throws {
        let place = try place("exports/night/mon/a.mp4")
        #expect(!place.isOccupied)
        #expect(try place.deliver(try movie(), replacing: false, for: "job_1") == .linked)
        #expect(bytes("night/mon/a.mp4") == "the reel" && place.isOccupied)
        #expect(try names("night/mon") == ["a.mp4"], "no draft is left")
        let about = try FileManager.default.attributesOfItem(atPath: exports + "/night/mon/a.mp4")
        #expect((about[.posixPermissions] as? NSNumber)?.intValue == 0o444)
        // A coordinator that was killed before the database knew of it does it again.
        #expect(try place.deliver(try movie(), replacing: false, for: "job_1") == .found)
        #expect(try place.deliver(try movie(), replacing: true, for: "job_1") == .found)
    }

    /// The disk that is mounted at the folder is gone, and what would be written there is seen by nobody.
    @Test func whereNothingIsMountedAnyMoreNothingIsPut() throws {
        var place = try place("exports/a.mp4")
        #expect(!place.isMountPoint, "this one was no mount")
        place.isMountPoint = true
        let refusal = #expect(throws: OutputPlace.Refusal.self) {
            try place.deliver(try movie(), replacing: false, for: "job_1")
        }
        #expect(refusal?.description.contains("“exports” is not mounted") == true)
        #expect(try names().isEmpty)
        #expect(FolderDescriptor(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)).isMountPoint)
    }

    @Test func anotherFileStaysUnlessItIsReplaced() throws {
        try write("a.mp4", "somebody's")
        let place = try place("exports/a.mp4")
        let refusal = #expect(throws: OutputPlace.Refusal.self) {
            try place.deliver(try movie(), replacing: false, for: "job_1")
        }
        #expect(refusal?.description.hasPrefix("Another file lies at exports/a.mp4; move it away") == true)
        #expect(bytes("a.mp4") == "somebody's")
        // Of the same length, and yet not the same.
        try write("a.mp4", "the reef")
        #expect(throws: OutputPlace.Refusal.self) { try place.deliver(try movie(), replacing: false, for: "job_1") }
        #expect(try names() == ["a.mp4"])
        #expect(try place.deliver(try movie(), replacing: true, for: "job_1") == .linked)
        #expect(bytes("a.mp4") == "the reel")
        #expect(try names() == ["a.mp4"])
        // The same bytes as a file of its own, as a copy to another disk leaves them.
        try FileManager.default.removeItem(atPath: exports + "/a.mp4")
        try write("a.mp4", "the reel")
        #expect(try place.deliver(try movie(), replacing: false, for: "job_1") == .found)
    }

    /// What is a registered file in the store is not linked; so are files on another file system.
    @Test func whereNoLinkIsPossibleItIsCopied() throws {
        let source = folder.path("source.mp4")
        try Data(String(repeating: "x", count: 3_000_000).utf8).write(to: URL(fileURLWithPath: source))
        let digest = try store.register(path: source, hashing: true).digest
        let place = try place("exports/a.mp4")
        #expect(try place.deliver(try store.open(digest), replacing: false, for: "job_1") == .copied)
        #expect(bytes("a.mp4")?.count == 3_000_000)
        #expect(try names() == ["a.mp4"])
        try write("b.mp4", "old")
        #expect(try self.place("exports/b.mp4").deliver(store.open(digest), replacing: true, for: "job_2") == .copied)
        #expect(try names() == ["a.mp4", "b.mp4"] && bytes("b.mp4")?.count == 3_000_000)
    }

    /// A folder behind a narrow line takes its bytes when they are flushed. A claim is given up after 30 s in which the
    /// copy passes no moment; then it would begin at the first byte again, each time.
    @Test(arguments: [Int64(100_000), 1_000_000]) func aSlowFolderGetsAMovieBitByBit(bytesPerSecond: Int64) throws {
        let movie = try movie(String(repeating: "x", count: 66 << 20))
        let draft = OutputDraft(parent: FolderDescriptor(open(exports, O_RDONLY | O_DIRECTORY)), owner: "job_1")
        let clock = TestClock()
        var (flushed, last, longest) = (Int64(0), clock.now, Duration.zero)
        func flush(_ file: Int32) -> Int32 {
            let size = Int64(lseek(file, 0, SEEK_CUR))
            clock.advance(by: .milliseconds((size - flushed) * 1000 / bytesPerSecond))
            flushed = size
            return 0
        }
        func passes() -> Bool {
            longest = max(longest, last.duration(to: clock.now))
            last = clock.now
            return true
        }
        let code = draft.copy(movie, on: clock, flushing: flush, while: passes)
        #expect(code == 0 && longest > .zero && longest < .seconds(30), "\(longest)")
        #expect(movie.byteCount - flushed <= 2 << 20, "the last flush is short too")
    }

    /// A folder with many names is listed for a while, and each is progress.
    @Test func aLongListIsProgress() throws {
        for number in 0..<50 { try write("\(number).mp4", "") }
        var moments = 0
        _ = try place("exports/a.mp4").deliver(try movie(), replacing: false, for: "job_1") { _ in
            moments += 1
            return true
        }
        #expect(moments > 50)
    }

    @Test func draftsOfTheDeadGoAndThoseOfTheLivingStay() throws {
        try write(".cutfarm-job_1-dead", "half")
        try write(".cutfarm-job_2-other", "half")
        try write(".cutfarm-job_1-living", "half")
        let living = open(exports + "/.cutfarm-job_1-living", O_RDONLY | O_CLOEXEC)
        defer { close(living) }
        #expect(flock(living, LOCK_EX) == 0)
        _ = try place("exports/a.mp4").deliver(try movie(), replacing: false, for: "job_1")
        #expect(try names() == [".cutfarm-job_1-living", ".cutfarm-job_2-other", "a.mp4"])
    }

    @Test func noLinkLeadsElsewhere() throws {
        let outside = folder.path("outside")
        try FileManager.default.createDirectory(atPath: outside + "/in", withIntermediateDirectories: true)
        for (name, leads) in [("absolute", outside), ("relative", "../outside"), ("loop", "loop")] {
            try FileManager.default.createSymbolicLink(atPath: exports + "/" + name, withDestinationPath: leads)
            for target in ["exports/\(name)/a.mp4", "exports/\(name)/in/a.mp4"] {
                let refusal = #expect(throws: OutputPlace.Refusal.self) {
                    try place(target).deliver(try movie(), replacing: true, for: "job_1")
                }
                #expect(refusal?.description.contains("“\(name)” on the way to \(target) is a link") == true)
            }
        }
        try write("file", "no folder")
        #expect(throws: OutputPlace.Refusal.self) {
            try place("exports/file/a.mp4").deliver(try movie(), replacing: true, for: "job_1")
        }
        // A link in the file's own place is replaced itself.
        try FileManager.default.createSymbolicLink(atPath: exports + "/b.mp4", withDestinationPath: outside + "/b.mp4")
        let last = try place("exports/b.mp4")
        #expect(last.isOccupied)
        #expect(throws: OutputPlace.Refusal.self) { try last.deliver(try movie(), replacing: false, for: "job_1") }
        #expect(try last.deliver(try movie(), replacing: true, for: "job_1") == .linked)
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["in"])
        #expect(bytes("b.mp4") == "the reel")
    }

    @Test(
        arguments: [
            "/exports/a.mp4", "a.mp4", "exports/", "exports//a.mp4", "exports/../a.mp4", "exports/./a.mp4",
            "exports/.hidden", ".exports/a.mp4", "exports/a\u{1b}.mp4", "exports/a\u{0}.mp4", "",
            "exports/" + String(repeating: "a", count: 201), "exports" + String(repeating: "/abcdefg", count: 200),
        ]
    )
    func whatIsNoTargetIsRefusedWithASentence(text: String) throws {
        let error = #expect(throws: OutputTarget.Malformed.self) { try OutputTarget(text) }
        #expect(error?.description.hasSuffix(".") == true && error?.description.contains("\u{1b}") == false)
    }

    /// The server of two folders is away when the coordinator starts, and comes back.
    @Test func aFolderThatDoesNotAnswerIsTakenAsThere() throws {
        let server = DispatchSemaphore(value: 0)
        let folders = try OutputFolders([exports, "proc=/proc"], within: .milliseconds(10)) { _, moment in
            if moment == .starting { server.wait() }
        }
        defer { for _ in 0..<2 { server.signal() } }
        #expect(folders.names == ["exports", "proc"] && folders.silentNames == ["exports", "proc"])
        #expect(folders.place(try OutputTarget("proc/a.mp4"))?.isMountPoint == true, "the table of mounts knows it")
        let place = try #require(folders.place(try OutputTarget("exports/a.mp4")))
        #expect(!place.isMountPoint)
        #expect(try place.deliver(try movie(), replacing: false, for: "job_1") == .linked)
        #expect(bytes("a.mp4") == "the reel")
        #expect(try OutputFolders([exports], within: .seconds(600)).silentNames.isEmpty)
    }

    @Test func foldersHaveNamesAndDoNotLieInOneAnother() throws {
        let other = folder.path("other")
        try FileManager.default.createDirectory(atPath: other + "/exports", withIntermediateDirectories: true)
        let folders = try OutputFolders([exports, "archive=" + other])
        #expect(folders.names == ["archive", "exports"])
        #expect(folders.place(try OutputTarget("gone/a.mp4")) == nil)
        for wrong in [
            [exports, other + "/exports"], [other, "a=" + other + "/exports"], [folder.path("gone")], ["a/b=" + other],
        ] {
            let error = #expect(throws: OutputFolders.Unusable.self) { try OutputFolders(wrong, within: .seconds(600)) }
            #expect(error?.description.hasSuffix(".") == true, "\(wrong)")
        }
    }
}
