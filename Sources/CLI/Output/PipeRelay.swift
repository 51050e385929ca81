import Foundation
import Sandbox
import Storage
import Synchronization

/// A named pipe that a render process writes and this program reads.
final class PipeRelay: Sendable {
    let path: String
    private let reader: Int32
    private let isOpen = Mutex(true)
    /// A writing end that keeps the pipe from ending before the process has opened it.
    private let keeper: Int32

    /// Makes the pipe and opens its reading end.
    /// - Parameter path: the path of the pipe, at which nothing may be.
    /// - Throws: ``CommandFailure`` when it cannot be made.
    init(path: String) throws(CommandFailure) {
        self.path = path
        guard mkfifo(path, 0o600) == 0 else { throw PipeRelay.failure("made", path) }
        // The pipe is opened without waiting for a writer; once there is one, reading may block again.
        reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        keeper = open(path, O_WRONLY | O_CLOEXEC)
        guard reader >= 0, keeper >= 0, fcntl(reader, F_SETFL, 0) == 0 else { throw PipeRelay.failure("opened", path) }
        PipeFlow.widen(reader, to: 1 << 20)
    }

    deinit { hangUp() }

    /// Lets the pipe end. It is called once, after the writer is gone: the reader receives the rest and then the end.
    func end() { close(keeper) }

    /// Passes arriving bytes to `take` until ``end()``; it blocks. When `take` throws, nothing more is read, and the
    /// writer fails.
    /// - Throws: The error that `take` throws; ``CommandFailure`` when the pipe cannot be read.
    func drain(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
        defer { hangUp() }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { buffer.deallocate() }
        while true {
            let count = read(reader, buffer.baseAddress, buffer.count)
            if count == 0 { return }
            if count < 0 {
                guard errno == EINTR else { throw PipeRelay.failure("read", path) }
                continue
            }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Passes arriving bytes to `descriptor`, without a copy where the system can; it blocks.
    /// - Parameter failing: Makes the error for an errno.
    /// - Throws: The error that `failing` makes.
    func drain(to descriptor: Int32, failing: (Int32) -> CommandFailure) throws {
        while true {
            switch PipeFlow.move(from: reader, to: descriptor) {
            case .moved: continue
            case .end: return hangUp()
            case .impossible:
                return try drain { bytes in
                    let code = bytes.writeAll(to: descriptor)
                    if code != 0 { throw failing(code) }
                }
            case .failed(let code):
                hangUp()
                throw failing(code)
            }
        }
    }

    private func hangUp() {
        isOpen.withLock { isOpen in
            if isOpen { close(reader) }
            isOpen = false
        }
    }

    private static func failure(_ what: String, _ path: String) -> CommandFailure {
        CommandFailure(.usage, "The pipe \(path) cannot be \(what): \(String(cString: strerror(errno))).")
    }
}
