import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// The lock of a state folder.
@Suite struct FolderLockTests {
    @Test func oneAtATime() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let first = try FolderLock(path: path, folder: "state")
        let error = #expect(throws: EmbeddedError.self) { _ = try FolderLock(path: path, folder: "state") }
        #expect(error?.code == .stateInUse && error?.message.contains("state") == true)
        _ = consume first
        _ = try FolderLock(path: path, folder: "state")
    }

    /// A lock that is refused closes its own descriptor, and no other that has got its number since.
    @Test func aRefusedLockClosesNothingElse() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let first = try FolderLock(path: path, folder: "state")
        // Of a process with one thread the second close would fail, and nobody would see it: so many are refused here
        // while others open files.
        let opened = DispatchQueue.global()
        let group = DispatchGroup()
        let failures = Mutex(0)
        for _ in 0..<4 {
            opened.async(group: group) {
                for _ in 0..<5_000 {
                    let own = open(path, O_RDONLY | O_CLOEXEC)
                    sched_yield()
                    if close(own) != 0 { failures.withLock { $0 += 1 } }
                }
            }
        }
        for _ in 0..<5_000 {
            #expect(throws: EmbeddedError.self) { _ = try FolderLock(path: path, folder: "state") }
        }
        group.wait()
        #expect(failures.withLock(\.self) == 0)
        _ = consume first
    }

    /// A process that is just being started has a copy of every descriptor until its program begins.
    @Test func itIsLetGoAlthoughAnotherHasACopyOfItsDescriptor() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("lock")
        let first = try FolderLock(path: path, folder: "state")
        var file = stat()
        #expect(stat(path, &file) == 0)
        let own = try #require(
            (Int32(0)..<4096).first { descriptor in
                var status = stat()
                return fstat(descriptor, &status) == 0 && status.st_ino == file.st_ino && status.st_dev == file.st_dev
            }
        )
        let copy = dup(own)
        defer { close(copy) }
        #expect(copy >= 0)
        _ = consume first
        _ = try FolderLock(path: path, folder: "state")
    }
}
