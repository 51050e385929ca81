import Foundation
import Synchronization

/// Sends HTTP requests with libcurl. It may be shared: each request in flight has a handle and a thread of its own, and
/// idle handles are kept with their open connections.
package final class CurlClient: Sendable {
    private let idle = Mutex<[CurlHandle]>([])
    private let largestIdle: Int

    /// Makes a client without connections.
    /// - Parameter largestIdle: the most handles that are kept when no request is in flight.
    package init(largestIdle: Int = 8) {
        self.largestIdle = largestIdle
    }

    /// Sends a request and keeps the whole answer, whatever its status. Cancelling the task ends the transfer.
    /// - Parameter limit: the most bytes of body that are taken.
    /// - Throws: ``HTTPError`` when no whole answer came; its code is `cancelled` after a cancellation.
    package func send(_ request: HTTPRequest, limit: Int = 256 << 20) async throws -> HTTPResponse {
        try await perform(request, limit: limit, sink: nil)
    }

    /// Sends a request and gives the body of a success to `sink`, piece by piece, on libcurl's thread. The body of a
    /// refusal is kept in the response instead, up to 1 MiB.
    /// - Parameter sink: takes the bytes in order. What it throws ends the transfer.
    /// - Throws: ``HTTPError`` when no whole answer came: code `sinkFailed` when the sink threw, `cancelled` after a
    ///   cancellation.
    package func receive(
        _ request: HTTPRequest,
        into sink: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> HTTPResponse {
        try await perform(request, limit: 1 << 20, sink: sink)
    }

    private func perform(_ request: HTTPRequest, limit: Int, sink: Transfer.Sink?) async throws -> HTTPResponse {
        let cancellation = Transfer.Cancellation()
        let handle = idle.withLock { $0.popLast() } ?? CurlHandle()
        defer {
            idle.withLock { handles in
                if handles.count < largestIdle { handles.append(handle) }
            }
        }
        return try await withTaskCancellationHandler {
            try await handle.perform(request, limit: limit, cancellation: cancellation, sink: sink)
        } onCancel: {
            cancellation.isCancelled.store(true, ordering: .relaxed)
        }
    }
}
