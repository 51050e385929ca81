import Foundation
import Ingest
import Storage
import TestSupport
import Testing

@testable import CLI

@Suite struct OutputFileTests {
    @Test(arguments: [("x", ""), ("-", ""), ("/x", "/"), ("a/x", "a"), ("a/b/x.mp4", "a/b"), ("/a/x", "/a")])
    func folderOfAPath(path: String, folder: String) {
        #expect(path.parentFolder == folder)
    }

    /// Nobody, not even root, can make a file there: known before anything is rendered.
    @Test func aPlaceWhereNothingCanBeWritten() {
        let error = #expect(throws: CommandFailure.self) { try OutputFile(path: "/proc/x.mp4", isForced: false) }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.hasPrefix("/proc/x.mp4 cannot be written: ") == true)
    }

    @Test func lookingLeavesNothing() throws {
        let folder = try TemporaryFolder()
        _ = try OutputFile(path: folder.path("x.mp4"), isForced: false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    /// Renaming a movie over a device would take it away from the whole machine.
    @Test(arguments: ["/dev/null", "-"]) func whatIsNoFileIsNotReplaced(path: String) {
        let error = #expect(throws: CommandFailure.self) { try OutputFile(path: path, isForced: true) }
        #expect(error?.status == .usage)
        #expect(error?.lines.first?.contains("name a file") == true)
    }

    @Test func aLinkStaysAndItsFileIsReplaced() async throws {
        let folder = try TemporaryFolder()
        let (file, link) = (folder.path("file.mp4"), folder.path("link.mp4"))
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "file.mp4")
        try await OutputFile(path: link, isForced: true).deliver { sink in
            try Data("new".utf8).withUnsafeBytes { try sink($0) }
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "file.mp4")
        #expect(FileManager.default.contents(atPath: file) == Data("new".utf8))
    }

    /// `--force` is for old movies, not for footage.
    @Test func noMovieReplacesWhatItIsMadeFrom() throws {
        let folder = try TemporaryFolder()
        try Data("footage".utf8).write(to: URL(fileURLWithPath: folder.path("a.mp4")))
        try FileManager.default.createSymbolicLink(atPath: folder.path("b.mp4"), withDestinationPath: "a.mp4")
        let edit = folder.path("edit.json")
        let text = """
            { "schema": "edit/1", "assets": { "clip": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "clip" }] }] }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: edit))
        let file = try EditFile(path: edit)
        for output in ["a.mp4", "b.mp4"] {
            let error = #expect(throws: CommandFailure.self) { try file.protect(from: [folder.path(output)]) }
            #expect(error?.lines.first?.contains("the asset “clip”") == true)
        }
        #expect(throws: CommandFailure.self) { try file.protect(from: [edit]) }
        try file.protect(from: [folder.path("c.mp4")])
    }

    /// A shell's `<(…)` is a pipe: its size is 0 until it is read.
    @Test func pipesAreRead() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("token".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(Data(readingToEnd: path) == Data("token".utf8))
        #expect(Data(readingToEnd: "/nowhere") == nil)
    }
}
