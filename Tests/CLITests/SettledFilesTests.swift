import Foundation
import TestSupport
import Testing

@testable import CLI

/// Which files of a watched folder are complete.
@Suite struct SettledFilesTests {
    private static let second: Int64 = 1_000_000_000
    /// The time at which the first look is made, by the clock of the machine that writes.
    private let start: Int64 = 1_800_000_000 * second

    private func file(_ name: String, _ bytes: Int64 = 5, changed: Int64 = 0) -> FoundFile {
        FoundFile(name: name, byteCount: bytes, modifiedNanoseconds: start + changed * Self.second)
    }

    /// Looks at the folder once a second. - Returns: the seconds at which files were complete, with their names.
    private func complete(_ looks: [[FoundFile]], status: [Int64] = []) -> [String] {
        var settled = SettledFiles(settleMilliseconds: 3000)
        return looks.enumerated().flatMap { second, files in
            let changed = second < status.count ? status[second] : status.last ?? 0
            return settled.note(
                files.map { SeenFile(file: $0, statusNanoseconds: changed) },
                at: Int64(second) * 1000
            )
            .map { "\(second) \($0.name)" }
        }
    }

    @Test func aFileThatGrowsIsNotComplete() {
        let growing = (0..<4).map { [file("a", $0 + 1, changed: $0)] }
        let still = [[FoundFile]](repeating: [file("a", 4, changed: 3)], count: 4)
        #expect(complete(growing + still) == ["6 a", "7 a"], "three seconds after it was seen as it is")
        // Its length stays and its bytes change.
        #expect(complete((0..<6).map { [file("a", 5, changed: $0)] }).isEmpty)
    }

    /// A file that was renamed into place is complete at the second look that finds it the same, and stays it until it
    /// changes. Whether its rename is heard of before the first look or after it makes no difference.
    @Test func aFileThatWasRenamedIntoPlaceIsComplete() {
        var settled = SettledFiles(settleMilliseconds: 3000)
        func note(_ bytes: Int64, _ renamed: Set<String>, at now: Int64) -> [String] {
            let files = [file("a", bytes), file("b", 5), file("empty", 0)]
            let looks = files.map { SeenFile(file: $0, statusNanoseconds: 0) }
            return settled.note(looks, renamed: renamed, at: now).map(\.name)
        }
        #expect(note(5, ["a", "empty", "gone"], at: 0).isEmpty)
        #expect(note(5, [], at: 1000) == ["a"])
        #expect(note(5, ["b"], at: 1500) == ["a", "b"])
        #expect(note(6, [], at: 2000) == ["b"], "somebody writes to a")
        #expect(note(6, [], at: 3000) == ["b"], "it is waited for like any other")
        #expect(note(6, [], at: 5000) == ["a", "b"])
    }

    /// Somebody renames a file while another program copies it. It grows under its new name.
    @Test func aFileThatGrowsWhileItIsRenamedIsNotComplete() throws {
        let folder = try TemporaryFolder()
        let look = FolderLook(folder: folder.url.path)
        let renames = RenamedFiles(folder: folder.url.path)
        var settled = SettledFiles(settleMilliseconds: 3000)
        func complete(at now: Int64) throws -> [String] {
            let renamed = renames.take()
            return settled.note(try look.files(), renamed: renamed, at: now).map(\.name)
        }
        try Data("half".utf8).write(to: URL(fileURLWithPath: folder.path("a.mov")))
        let writer = try #require(FileHandle(forWritingAtPath: folder.path("a.mov")))
        try writer.seekToEnd()
        #expect(try complete(at: 0).isEmpty)
        try FileManager.default.moveItem(atPath: folder.path("a.mov"), toPath: folder.path("b.mov"))
        #expect(try complete(at: 100).isEmpty)
        for now in [200, 300] as [Int64] {
            try writer.write(contentsOf: Data(" more".utf8))
            #expect(try complete(at: now).isEmpty)
        }
        try writer.close()
        #expect(try complete(at: 400).isEmpty && complete(at: 3299).isEmpty)
        #expect(try complete(at: 3300) == ["b.mov"])
    }

    /// The kernel tells of renames into the folder, and of nothing else.
    @Test func renamesAreHeardOf() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let watched = folder.path("watched")
        func make() throws { try files.createDirectory(atPath: watched, withIntermediateDirectories: true) }
        try make()
        let renames = RenamedFiles(folder: watched)
        #expect(renames.take().isEmpty)
        for name in ["a.part", "b.mov", "c.part"] {
            try Data([1]).write(to: URL(fileURLWithPath: "\(watched)/\(name)"))
        }
        #expect(renames.take().isEmpty)
        try files.moveItem(atPath: watched + "/a.part", toPath: watched + "/a.mov")
        try files.moveItem(atPath: watched + "/b.mov", toPath: folder.path("away"))
        try files.moveItem(atPath: watched + "/c.part", toPath: watched + "/c d é.mov")
        #expect(renames.take() == ["a.mov", "c d é.mov"])
        #expect(renames.take().isEmpty)
        // Another folder takes its place, as after a mount.
        try files.moveItem(atPath: watched, toPath: folder.path("before"))
        try make()
        #expect(renames.take().isEmpty)
        try files.moveItem(atPath: folder.path("away"), toPath: watched + "/b.mov")
        #expect(renames.take() == ["b.mov"])
    }

    /// `cp -p` and rsync keep times; a copy that stands still for a moment is not complete for that.
    @Test func aFileWithAnOldTimeIsWaitedForLikeAnother() {
        let old = file("a", changed: -60)
        #expect(complete([[], [old], [old], [old], [old]]) == ["4 a"])
        let stalled = [file("a", 1, changed: -60), file("a", 1, changed: -60), file("a", 2, changed: -60)]
        #expect(complete(stalled.map { [$0] }).isEmpty)
    }

    /// A program that takes all the room and sets the old time at once goes on writing (as over SMB).
    @Test func aFileWithAnOldTimeThatIsWrittenIsNotComplete() {
        let looks = [[FoundFile]](repeating: [file("a", changed: -60)], count: 6)
        #expect(complete(looks, status: [1, 2, 3]) == ["5 a"])
    }

    @Test func anotherMachinesClockDoesNotMatter() {
        let ahead = [[FoundFile]](repeating: [file("a", changed: 7200)], count: 5)
        #expect(complete(ahead).first == "3 a")
        let behind = [[FoundFile]](repeating: [file("a", changed: -7200)], count: 5)
        #expect(complete(behind).first == "3 a")
        let growing = (0..<5).map { [file("a", $0 + 1, changed: $0 - 7200)] }
        #expect(complete(growing).isEmpty)
    }

    @Test func filesThatGoAndComeBeginAnew() {
        let a = file("a", changed: 3)
        #expect(complete([[a], [a], [], [a], [a], [a], [a]]) == ["6 a"])
        #expect(
            complete([[file("a", 0)], [file("a", 0)], [file("a", 0)], [file("a", 0)], [file("a", 0)]]).isEmpty,
            "empty"
        )
    }

    @Test func onlyPlainFilesWithPlainNamesAreLookedAt() throws {
        let folder = try TemporaryFolder()
        for name in ["a.mov", ".hidden.mov", "b.mov.part", "c.tmp", "d.MOV", "a.mov.cutfarm.txt", "e~", "f"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        try FileManager.default.createDirectory(atPath: folder.path("done"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path("g.mov"), withDestinationPath: "a.mov")
        #expect(mkfifo(folder.path("pipe.mov"), 0o600) == 0)
        #expect(try FolderLook(folder: folder.url.path).files().map(\.file.name) == ["a.mov", "d.MOV", "f"])
        #expect(throws: CommandFailure.self) { try FolderLook(folder: folder.path("gone")).files() }
    }

    @Test(arguments: [("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("5", 5000)])
    func timesAreRead(text: String, milliseconds: Int64) {
        #expect(WatchFolderCommand.milliseconds(text) == milliseconds)
    }

    @Test(arguments: ["", "s", "99ms", "2h", "-1s", "1.5s", "99999999s", "ten"]) func otherTimesAreNone(text: String) {
        #expect(WatchFolderCommand.milliseconds(text) == nil)
    }
}
