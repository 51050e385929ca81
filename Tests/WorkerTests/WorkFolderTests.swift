import Foundation
import Storage
import TestSupport
import Testing

@testable import Worker

/// The folder of a worker's unfinished work.
@Suite struct WorkFolderTests {
    @Test func whatIsRemovedIsMadeAgainAndHeld() throws {
        let folder = try TemporaryFolder()
        let cache = folder.path("cache")
        let work = try WorkFolder(in: cache)
        let first = try work.path()
        #expect(try work.path() == first)
        try FileManager.default.removeItem(atPath: cache)
        let second = try work.path()
        #expect(second != first && FileManager.default.fileExists(atPath: second))
        // Another worker that starts there leaves it alone.
        let other = try WorkFolder(in: cache)
        #expect(FileManager.default.fileExists(atPath: second))
        #expect(try other.path() != second && work.path() == second)
        // A folder that somebody made under its name is not held, and would be swept away.
        try FileManager.default.removeItem(atPath: second)
        try FileManager.default.createDirectory(atPath: second, withIntermediateDirectories: false)
        #expect(try work.path() != second)
    }

    /// Also while something still holds it: a process ends before it lets go of all it has.
    @Test func aWorkerThatLeavesRemovesIt() throws {
        let folder = try TemporaryFolder()
        let work = try WorkFolder(in: folder.path("cache"))
        try Data("part".utf8).write(to: URL(fileURLWithPath: try work.path() + "/part"))
        work.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")) == [])
    }
}
