import Foundation
import Synchronization

/// Sends HTTP requests with libcurl. Each request in flight has a handle and a thread of its own; idle handles are kept
/// with their connections. Safe to share.
public final class CurlClient: Sendable {
    private let idle = Mutex<[CurlHandle]>([])
    private let largestIdle: Int

    /// - Parameter largestIdle: handles kept when nothing is going on.
    public init(largestIdle: Int = 8) {
        self.largestIdle = largestIdle
    }

    /// The whole answer, whatever its status.
    /// - Parameter limit: most bytes of body that are taken.
    /// - Throws: ``HTTPError``. Cancelling the task ends the transfer with code `cancelled`.
    public func send(_ request: HTTPRequest, limit: Int = 256 << 20) async throws -> HTTPResponse {
        try await perform(request, limit: limit, sink: nil)
    }

    /// As ``send(_:limit:)``, with the body given to `sink` piece by piece, on libcurl's thread. The body of an answer
    /// that is no success is kept in the response instead.
    public func receive(
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
