import CSandbox
import CompositionModel
import Foundation
import Sandbox
import Synchronization
import WireProtocol

/// The child's end of the talk with its parent.
final class ParentLink: Sendable {
    private let descriptor: Int32
    private let channel: RenderChannel
    /// One question at a time: the answer that comes belongs to it.
    private let asking = Mutex(())
    private let lastPermille = Mutex(-1)

    /// - Parameter descriptor: one end of a socket pair.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        channel = RenderChannel(descriptor: descriptor)
    }

    /// Waits for the request.
    /// - Throws: `RenderChannel.Broken` when the parent goes away or says something else.
    func receiveRequest() throws -> RenderRequest { try channel.receive(RenderRequest.self) }

    /// Ends this process as soon as the parent is gone: nobody could take its result.
    func watch() {
        let descriptor = descriptor
        Thread.detachNewThread {
            // POLLRDHUP of poll(2), a GNU extension that Glibc's module leaves out.
            var entry = pollfd(fd: descriptor, events: 0x2000, revents: 0)
            while poll(&entry, 1, -1) < 0 && errno == EINTR {}
            cut_exit_now(1)
        }
    }

    /// Tells the parent how much is done, 0 … 1000. What is not more than before is not said.
    func progress(_ permille: Int) {
        let isNew = lastPermille.withLock { last in
            defer { last = max(last, permille) }
            return permille > last
        }
        if isNew { try? channel.send(RenderEvent.progress(permille: permille)) }
    }

    /// A still is made, or cannot be had.
    func still(_ position: Int, failure: Failure?) {
        try? channel.send(RenderEvent.still(position: position, failure: failure))
    }

    /// Tells the parent what is wrong with a result that can be used all the same.
    func warn(_ warning: Failure) { try? channel.send(RenderEvent.warning(warning)) }

    /// Waits until the parent has put the block into the file.
    /// - Throws: `RenderChannel.Broken`, or ``Unavailable``.
    func need(source: Int, block: Int64) throws {
        try asking.withLock { _ in
            try channel.send(RenderEvent.need(source: source, block: block))
            switch try channel.receive(RenderReply.self) {
            case .have: return
            case .unavailable(let failure): throw Unavailable(failure: failure)
            }
        }
    }

    struct Unavailable: FailureConvertible {
        let failure: Failure
    }

    /// Says the last word and ends the process, without exit handlers: nothing is left to tidy.
    func end(with event: RenderEvent) -> Never {
        var cpu: Int64 = 0
        var memory: Int64 = 0
        cut_resource_usage(&cpu, &memory)
        let vectors = CPUFeaturePolicy.vectors
        try? channel.send(RenderEvent.usage(cpuMilliseconds: cpu, peakMemoryBytes: memory, vectors: vectors))
        try? channel.send(event)
        cut_exit_now(0)
    }
}
