import CSandbox
import Foundation

/// Moves what is in a pipe without copying it.
public enum PipeFlow {
    public enum Step: Sendable, Hashable {
        case moved
        /// Nobody writes to the pipe any more and it is empty.
        case end
        /// The target takes bytes by writing only.
        case impossible
        /// With this errno.
        case failed(Int32)
    }

    /// Lets `pipe` hold up to `bytes`, as far as the system's limits allow it.
    public static func widen(_ pipe: Int32, to bytes: Int) { cut_pipe_widen(pipe, Int32(bytes)) }

    /// Moves what there is, at least one byte. Blocks until something is there and the target takes it.
    public static func move(from pipe: Int32, to target: Int32) -> Step {
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
