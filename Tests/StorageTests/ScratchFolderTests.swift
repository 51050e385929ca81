import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct ScratchFolderTests {
    let folder: TemporaryFolder
    let parent: String

    init() throws {
        folder = try TemporaryFolder()
        parent = folder.url.path
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).sorted()
    }

    @Test func itGoesWithItsOwner() throws {
        do {
            let scratch = try ScratchFolder(below: parent, named: "work-", mode: 0o755)
            try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.file("unfinished")))
            #expect(names.count == 1 && names[0].hasPrefix("work-"))
        }
        #expect(names.isEmpty)
    }

    /// Two containers on one disk: each is process 1 there, and each has its own folder all the same.
    @Test func whatIsHeldStaysAndWhatNobodyHoldsGoes() throws {
        let held = try (0..<3).map { _ in try ScratchFolder(below: parent, named: "work-") }
        for name in ["work-1", "work-\(getpid())", "work-dead", "blocks"] {
            try FileManager.default.createDirectory(atPath: parent + "/" + name, withIntermediateDirectories: false)
            try Data("x".utf8).write(to: URL(fileURLWithPath: parent + "/\(name)/artifact"))
        }
        #expect(ScratchFolder.sweep(below: parent, named: "work-") == 3)
        #expect(Set(names.map { parent + "/" + $0 }) == Set(held.map(\.path) + [parent + "/blocks"]))
        #expect(ScratchFolder.sweep(below: parent, named: "work-") == 0)
    }

    @Test func sweepsAndNewFoldersDoNotDisturbEachOther() async throws {
        let parent = parent
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { for _ in 0..<200 { ScratchFolder.sweep(below: parent) } }
                group.addTask {
                    for _ in 0..<200 {
                        let scratch = try ScratchFolder(below: parent)
                        try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.file("x")))
                        withExtendedLifetime(scratch) {}
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(names.isEmpty)
    }

    @Test func aMissingParentIsSaid() {
        #expect(throws: StorageError.self) { try ScratchFolder(below: parent + "/none") }
    }
}
