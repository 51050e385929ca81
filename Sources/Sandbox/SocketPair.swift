import Foundation
import Synchronization

/// Two connected descriptors: one for this process, one to hand to a child as its descriptor 0. Whoever may still read
/// from `parent` keeps this object, so that the number is not given to another file meanwhile.
final class SocketPair: Sendable {
    let parent: Int32
    private let child: Mutex<Int32>

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw RenderChannel.Broken(code: errno) }
        parent = ends[0]
        child = Mutex(ends[1])
    }

    /// The child's end; whoever takes it closes it.
    func takeChild() -> Int32 {
        child.withLock { held in
            defer { held = -1 }
            return held
        }
    }

    /// Ends a blocked read on `parent`.
    func hangUp() { shutdown(parent, Int32(SHUT_RDWR)) }

    deinit {
        close(parent)
        child.withLock { held in
            if held >= 0 { close(held) }
        }
    }
}
