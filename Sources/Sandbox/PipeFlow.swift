import CSandbox
import Foundation

/// Moves what is in a pipe without copying it.
package enum PipeFlow {
    /// The outcome of one move.
    package enum Step: Sendable, Hashable {
        /// At least one byte was moved.
        case moved
        /// Nobody writes to the pipe any more and it is empty.
        case end
        /// The target takes bytes only by writing.
        case impossible
        /// The system refused with this errno.
        case failed(Int32)
    }

    /// Lets a pipe hold up to `bytes` bytes, as far as the system's limits allow.
    package static func widen(_ pipe: Int32, to bytes: Int) { cut_pipe_widen(pipe, Int32(bytes)) }

    /// Moves what is in a pipe, at least one byte. It blocks until the pipe has something and the target takes it.
    package static func move(from pipe: Int32, to target: Int32) -> Step {
        while true {
            let count = cut_pipe_move(pipe, target, 1 << 20)
            if count > 0 { return .moved }
            if count == 0 { return .end }
            switch errno {
            case EINTR: continue
            case EINVAL, EAGAIN, ENOSYS, EPERM: return .impossible
            default: return .failed(errno)
            }
        }
    }
}
