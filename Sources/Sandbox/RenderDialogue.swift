import Foundation
import Shared
import Synchronization

/// The parent's side of the talk with one render child: sends the request, serves its needs, returns its last word.
struct RenderDialogue: Sendable {
    enum End: Sendable {
        case finished(RenderResult, TaskStatistics)
        case failed(Failure)
        /// The child went away without a last word.
        case silent
    }

    let ends: SocketPair
    let onNeed: @Sendable (Int, Int64) async -> Failure?
    let onProgress: @Sendable (Int) -> Void

    func hold(_ request: RenderRequest) async throws -> End {
        let channel = RenderChannel(descriptor: ends.parent)
        defer { ends.hangUp() }
        guard (try? channel.send(request)) != nil else { return .silent }
        var statistics = TaskStatistics()
        for await event in events() {
            switch event {
            case .need(let source, let block):
                let refusal = await onNeed(source, block)
                let reply = refusal.map(RenderReply.unavailable) ?? .have(source: source, block: block)
                guard (try? channel.send(reply)) != nil else { return .silent }
            case .progress(let permille): onProgress(min(max(permille, 0), 1000))
            case .usage(let cpu, let memory):
                statistics.cpuMilliseconds = cpu
                statistics.peakMemoryBytes = memory
            case .result(let result): return .finished(result, statistics)
            case .failure(let failure): return .failed(failure)
            }
        }
        return .silent
    }

    /// What the child says, read on a thread of its own: reads block, and the cooperative pool must not.
    private func events() -> AsyncStream<RenderEvent> {
        AsyncStream { continuation in
            let ends = ends
            Thread.detachNewThread {
                let channel = RenderChannel(descriptor: ends.parent)
                while let event = try? channel.receive(RenderEvent.self) { continuation.yield(event) }
                continuation.finish()
            }
        }
    }
}
