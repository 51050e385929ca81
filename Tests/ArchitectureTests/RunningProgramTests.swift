import Foundation
import TestSupport
import Testing

/// Programs that tests run in the background.
@Suite struct RunningProgramTests {
    /// One that kept connections of other tests open would hold them up.
    @Test func nothingIsInherited() async throws {
        let folder = try TemporaryFolder()
        let pipe = Pipe()
        let flags = fcntl(pipe.fileHandleForReading.fileDescriptor, F_GETFD)
        _ = fcntl(pipe.fileHandleForReading.fileDescriptor, F_SETFD, flags & ~FD_CLOEXEC)
        let list = "import os; print(sorted(map(int, os.listdir('/proc/self/fd'))))"
        let program = try RunningProgram("/usr/bin/env", ["python3", "-c", list], log: folder.path("log"))
        #expect(try await program.wait() == 0)
        // The fourth is that of the folder which is listed.
        #expect(try String(contentsOfFile: folder.path("log"), encoding: .utf8) == "[0, 1, 2, 3]\n")
        try pipe.fileHandleForReading.close()
    }
}
