import Farm
import Foundation
import Logging
import Sandbox
import ServiceLifecycle
import Storage
import WireProtocol

/// Joins the segments of finished jobs.
///
/// A coordinator is a worker of the farm for this: it leases the task, renews, and loses it like any other when it
/// dies, so that another coordinator, or this one after a restart, begins again.
struct StitchService: Service {
    let store: any FarmStore
    let dispatcher: LeaseDispatcher
    let executor: StitchExecutor
    let versions: RendererVersions
    /// The number of outputs that are joined at a time.
    let lanes: Int
    /// The name of this host, for lists of workers.
    let name: String
    let clock: any Clock<Duration>
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for lane in 1...max(1, lanes) { group.addTask { await work(lane) } }
            }
        }
    }

    /// Registers one lane as a worker and serves it, again after every error.
    private func work(_ lane: Int) async {
        while !Task.isCancelled {
            do {
                let registered = try await store.registerWorker(try await registration(lane))
                try await serve(registered)
            } catch {
                logger.warnUnlessCancelled("stitching pauses", error)
                try? await clock.sleep(for: .seconds(2))
            }
        }
    }

    private func registration(_ lane: Int) async throws -> WorkerRegistration {
        let own = try await versions.versions()
        return WorkerRegistration(
            name: "\(name)-stitch-\(lane)",
            kinds: [.stitch],
            slots: 1,
            rendererVersion: own.renderer,
            libraries: own.libraries
        )
    }

    /// Polls and joins until the farm does not know this worker any more, or the task is cancelled.
    /// - Throws: the reason of the end.
    private func serve(_ worker: WorkerRegistered) async throws {
        do {
            while true {
                let poll = LeasePoll(
                    worker: worker.worker,
                    poll: .random(),
                    kinds: [.stitch],
                    capacity: 1,
                    waitMilliseconds: 20_000
                )
                for grant in try await dispatcher.poll(poll) { await executor.run(grant, worker) }
                try Task.checkCancellation()
            }
        } catch {
            await leave(worker.worker)
            throw error
        }
    }

    private func leave(_ worker: WorkerID) async {
        await shieldedFromCancellation(on: clock) { [store] in
            try await store.release(worker, LeaseRelease(attempts: [], leaving: true))
        }
    }
}

extension PollID {
    /// A poll that was not sent before.
    static func random() -> PollID { PollID(uuid: UUID()) }
}
