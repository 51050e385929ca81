import Client
import CompositionModel
import Foundation
import Ingest
import WireProtocol

/// Makes stills on a farm, as tasks of one job. Each still is reported as soon as the task that made it is accepted.
struct FarmStills: Sendable {
    let connection: CoordinatorConnection
    let submitter: EditSubmitter
    let rendering: LocalRendering
    /// The time for which an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// Makes the stills and reports the outcome of each.
    /// - Parameter stills: The stills in ascending order of their frames, each frame once.
    /// - Throws: `CancellationError`, after which the job is cancelled; ``CommandFailure`` or `ClientError` when no job
    ///   was made, or the farm stays away.
    func make(
        _ stills: [StillFile],
        format: StillFormat,
        box: PictureSize?,
        _ report: StillReport
    ) async throws {
        let (file, frames) = try rendering.edit(showing: stills.map(\.frame))
        let order = StillsOrder(frames: frames, format: format, box: box)
        let known = Dictionary(zip(frames, stills)) { first, _ in first }
        let job = try await submitter.submit(file, stills: order)
        try await connection.cancelling(job.id) { try await follow(job.id, order.parts, known, report) }
    }

    /// Makes one image of all frames.
    /// - Throws: as ``make(_:format:box:_:)``, and ``CommandFailure`` when the job failed.
    func makeSheet(_ order: StillsOrder, to output: OutputFile) async throws {
        var order = order
        let file: EditFile
        (file, order.frames) = try rendering.edit(showing: order.frames)
        let job = try await submitter.submit(file, stills: order)
        let watcher = JobWatcher(connection: connection, display: ProgressDisplay(json: false, quiet: true))
        try await connection.cancelling(job.id) { _ = try await watcher.deliver(job.id, to: output) }
    }

    /// Takes the images of each task once, until the job is final.
    private func follow(
        _ id: JobID,
        _ parts: [StillsOrder],
        _ known: [Int64: StillFile],
        _ report: StillReport
    ) async throws {
        var taken: Set<TaskID> = []
        let polling = JobPolling(patience: patience, clock: connection.clock) { [connection] in
            try await connection.waitForEnd(of: id)
        }
        try await polling.run { () -> Void? in
            // The job is read first: once it is final, so are all tasks that are read after it.
            let job = try await connection.job(id)
            for task in try await connection.tasks(of: id) where task.state.isFinal && !taken.contains(task.id) {
                let frames = parts.indices.contains(task.position) ? parts[task.position].frames : []
                let stills = frames.compactMap { frame in known[frame].map { (frame: frame, file: $0) } }
                try await take(task, of: id, stills, report)
                taken.insert(task.id)
            }
            return job.state.isFinal ? () : nil
        }
    }

    private func take(
        _ task: TaskView,
        of job: JobID,
        _ stills: [(frame: Int64, file: StillFile)],
        _ report: StillReport
    ) async throws {
        switch task.state {
        case .completed:
            let bytes = try await connection.stills(of: job, task: task.id)
            guard task.artifact.map({ $0 == ContentDigest(of: bytes) }) ?? true,
                let pack = StillPack(decoding: bytes)
            else {
                return fail(stills.map(\.file), "the images arrived with other bytes than the farm recorded", report)
            }
            let made = Dictionary(pack.stills.map { ($0.frame, $0.image) }) { first, _ in first }
            for still in stills { try await deliver(still.file, made[still.frame], report) }
        case .failed: fail(stills.map(\.file), task.failure?.message ?? "no reason was given", report)
        case .queued, .leased, .cancelled: break
        }
    }

    private func deliver(
        _ still: StillFile,
        _ image: Result<[UInt8], Failure>?,
        _ report: StillReport
    ) async throws {
        do {
            guard let image = try image?.get() else { return fail([still], "the farm did not make it", report) }
            try await still.file.deliver { sink in try image.withUnsafeBytes(sink) }
            report.done(still)
        } catch let failure as Failure {
            fail([still], failure.message, report)
        } catch let error as CommandFailure {
            fail([still], error.lines.joined(separator: " "), report)
        }
    }

    private func fail(_ stills: [StillFile], _ reason: String, _ report: StillReport) {
        report.failed(stills, reason)
    }
}

extension RenderLocationOptions {
    /// The maker of stills on the named farm.
    /// - Returns: Nil when no farm is named.
    /// - Throws: ``CommandFailure`` or `ClientError`, as ``submitter(_:)`` does.
    func stills(_ rendering: LocalRendering, _ local: LocalMediaOptions) throws -> FarmStills? {
        try submitter(local).map { FarmStills(connection: $0.connection, submitter: $0, rendering: rendering) }
    }
}
