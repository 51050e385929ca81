import Foundation
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
}
