import CompositionModel
import Foundation
import Threads
import WireProtocol

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
    var onStill: @Sendable (Int, Failure?) -> Void = { _, _ in }

    /// Cancelling hangs up: whatever waits for the child then ends.
    func hold(_ request: RenderRequest) async -> End {
        defer { ends.hangUp() }
        return await withTaskCancellationHandler {
            await converse(request)
        } onCancel: {
            ends.hangUp()
        }
    }

    private func converse(_ request: RenderRequest) async -> End {
        guard await say(request) else { return .silent }
        var statistics = TaskStatistics()
        var furthest = -1
        while let event = await nextEvent() {
            switch event {
            case .need(let source, let block):
                let refusal = await onNeed(source, block)
                let reply = refusal.map(RenderReply.unavailable) ?? .have(source: source, block: block)
                guard await say(reply) else { return .silent }
            case .progress(let permille):
                guard min(permille, 1000) > furthest else { continue }
                furthest = min(permille, 1000)
                onProgress(furthest)
            case .still(let position, let failure): onStill(position, failure)
            case .warning(let warning): statistics.add(warning: warning)
            case .usage(let cpu, let memory, let vectors):
                // The child is not trusted: it names what there is, each once.
                statistics.vectors = vectors.map { said in TaskStatistics.vectorCode.filter(said.contains) }
                statistics.cpuMilliseconds = cpu
                statistics.peakMemoryBytes = memory
            case .result(let result): return .finished(result, statistics)
            case .failure(let failure): return .failed(failure)
            }
        }
        return .silent
    }

    /// - Returns: whether the child still listens. It may take its time, and a request is large.
    private func say(_ message: some Encodable & Sendable) async -> Bool {
        await DedicatedThread.run { [ends] in
            (try? RenderChannel(descriptor: ends.parent).send(message)) != nil
        }
    }

    /// One message at a time: a child that talks faster than it is heard waits, and does not fill this process.
    private func nextEvent() async -> RenderEvent? {
        await DedicatedThread.run { [ends] in
            try? RenderChannel(descriptor: ends.parent).receive(RenderEvent.self)
        }
    }
}
