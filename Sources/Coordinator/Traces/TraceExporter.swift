import Curl
import Farm
import Foundation
import Logging
import ServiceLifecycle
import WireProtocol

/// Exports the traces of jobs that ended, over OTLP/HTTP. Work never waits for it: it reads what the database keeps, after
/// the job's end, in batches of bounded size, and drops a trace that the receiver does not take.
struct TraceExporter: Service {
    /// The most spans of one request.
    static let batch = 512
    /// The most spans of one job.
    static let most = 20_000
    /// The number of tasks that are read at a time.
    private static let page = 200
    /// The waits before a request is sent again.
    private static let waits: [Duration] = [.seconds(1), .seconds(5)]

    let store: any FarmStore
    let traces: any TraceStore
    /// Where requests go, such as `http://127.0.0.1:4318/v1/traces`.
    let url: String
    let clock: any Clock<Duration>
    let logger: Logger

    private let client = CurlClient(largestIdle: 1)

    init(store: any FarmStore, traces: any TraceStore, url: String, clock: any Clock<Duration>, logger: Logger) {
        (self.store, self.traces, self.url, self.clock, self.logger) = (store, traces, url, clock, logger)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await exportAll() } while (try? await clock.sleep(for: .seconds(2))) != nil
        }
    }

    private func exportAll() async {
        do {
            while !Task.isCancelled, let ended = try await traces.claimTrace() { try await export(ended) }
        } catch {
            logger.warnUnlessCancelled("traces cannot be exported", error)
        }
    }

    private func export(_ ended: EndedTrace) async throws {
        guard let job = try await store.job(ended.job) else { return }
        var spans = JobSpans(job, ended.trace)
        var (waiting, count, position) = (spans.own, 0, 0)
        while true {
            let tasks = try await store.tasks(of: job.id, from: position, limit: Self.page)
            for task in tasks { waiting += spans.spans(of: task) }
            let isLast = tasks.count < Self.page || count + waiting.count >= Self.most
            while waiting.count >= Self.batch || isLast && !waiting.isEmpty {
                let batch = Array(waiting.prefix(Self.batch))
                waiting.removeFirst(batch.count)
                count += batch.count
                guard await send(batch, of: ended) else { return }
            }
            guard !isLast, let last = tasks.last else { break }
            position = last.position + 1
        }
        logger.debug("trace exported", metadata: ["job": "\(job.id)", "spans": "\(count)"])
    }

    /// Sends one request, and again a few times.
    /// - Returns: false when the receiver did not take it.
    private func send(_ spans: [Span], of ended: EndedTrace) async -> Bool {
        let trace = ended.trace.parent.trace
        let document = OTLPDocument(spans, trace: trace, host: ProcessInfo.processInfo.hostName)
        guard let body = try? JSONEncoder().encode(document) else { return false }
        var reason = ""
        for wait in [.zero] + Self.waits {
            if wait > .zero, (try? await clock.sleep(for: wait)) == nil { return false }
            var request = HTTPRequest(
                .post,
                url,
                headers: [(name: "Content-Type", value: "application/json")],
                body: .data(body),
                timeout: .seconds(10)
            )
            request.stallTimeout = .seconds(10)
            do {
                let response = try await client.send(request, limit: 64 << 10)
                if response.isSuccess { return true }
                reason = "status \(response.status)"
                // OTLP says of any other status that the request is wrong and must not be sent again.
                guard [429, 502, 503, 504].contains(response.status) else { break }
            } catch {
                if Task.isCancelled { return false }
                reason = "\(error)"
            }
        }
        logger.warning("a trace is dropped", metadata: ["trace": "\(trace)", "reason": "\(reason)"])
        return false
    }
}
