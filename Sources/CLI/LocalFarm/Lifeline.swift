import Foundation

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// A pipe whose write end only this process holds. Children read its other end and leave when it closes, also when this
/// process is killed.
final class Lifeline: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    /// Makes the pipe.
    /// - Throws: ``CommandFailure`` when the system has no more descriptors.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
            throw CommandFailure(.internalError, "No pipe can be made.")
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }
}
