import Foundation
import ServiceLifecycle

/// Ends when standard input closes, because the process that started this one, and holds the other end, is gone.
struct InputWatch: Service {
    func run() async throws {
        let (closed, close) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            close.finish()
        }
        for await _ in closed.cancelOnGracefulShutdown() {}
    }
}
