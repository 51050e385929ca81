import Foundation
import Testing

@testable import Sandbox

@Suite struct PipeFlowTests {
    /// Both ends are closed by their handles.
    private func filled(_ text: String) throws -> Pipe {
        let pipe = Pipe()
        PipeFlow.widen(pipe.fileHandleForReading.fileDescriptor, to: 1 << 20)
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        return pipe
    }

    @Test func bytesGoFromPipeToPipeAndThenItEnds() throws {
        let (source, target) = (try filled("frames"), Pipe())
        let (from, to) = (source.fileHandleForReading.fileDescriptor, target.fileHandleForWriting.fileDescriptor)
        #expect(PipeFlow.move(from: from, to: to) == .moved)
        #expect(PipeFlow.move(from: from, to: to) == .end)
        try target.fileHandleForWriting.close()
        #expect(try target.fileHandleForReading.readToEnd() == Data("frames".utf8))
    }

    /// splice(2): EINVAL for a target opened in append mode.
    @Test func aFileThatIsAppendedToTakesWritesOnly() throws {
        let source = try filled("frames")
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("flow-\(UUID().uuidString)").path
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        #expect(PipeFlow.move(from: source.fileHandleForReading.fileDescriptor, to: file) == .impossible)
        #expect(try source.fileHandleForReading.readToEnd() == Data("frames".utf8))
    }

    @Test func aTargetThatIsGoneIsSaid() throws {
        signal(SIGPIPE, SIG_IGN)
        let (source, target) = (try filled("frames"), Pipe())
        try target.fileHandleForReading.close()
        let to = target.fileHandleForWriting.fileDescriptor
        #expect(PipeFlow.move(from: source.fileHandleForReading.fileDescriptor, to: to) == .failed(EPIPE))
    }
}
