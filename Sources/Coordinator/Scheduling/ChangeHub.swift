import Farm
import Logging
import ServiceLifecycle
import Synchronization

/// Passes the store's changes on to every subscriber in this process, and at every tick in any case: a lost
/// notification costs a second, never more.
final class ChangeHub: Service {
    private struct Listeners {
        var next = 0
        var open: [Int: AsyncStream<Void>.Continuation] = [:]
        var isClosed = false
    }

    private let store: any FarmStore
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let listeners = Mutex(Listeners())

    init(store: any FarmStore, tick: Duration, clock: any Clock<Duration>) {
        self.store = store
        interval = tick
        self.clock = clock
    }

    /// A stream that yields at once, then at every change. Several changes may be told as one. It ends at shutdown.
    func changes() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let key = listeners.withLock { listeners -> Int? in
                if listeners.isClosed { return nil }
                listeners.next += 1
                listeners.open[listeners.next] = continuation
                return listeners.next
            }
            continuation.yield()
            guard let key else { return continuation.finish() }
            continuation.onTermination = { [self] _ in listeners.withLock { _ = $0.open.removeValue(forKey: key) } }
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { await self.relay() }
                group.addTask { await self.tick() }
            }
        }
        close()
    }

    /// Follows the store's changes; after an end of the stream it begins again within a second.
    private func relay() async {
        while !Task.isCancelled {
            for await _ in await store.changes() { announce() }
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private func tick() async {
        while (try? await clock.sleep(for: interval)) != nil { announce() }
    }

    private func announce() {
        for listener in listeners.withLock({ Array($0.open.values) }) { listener.yield() }
    }

    private func close() {
        let open = listeners.withLock { listeners in
            listeners.isClosed = true
            return Array(listeners.open.values)
        }
        for listener in open { listener.finish() }
    }
}
