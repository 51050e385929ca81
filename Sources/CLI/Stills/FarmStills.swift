import Client
import Foundation
import Ingest
import Shared

/// Makes stills on a farm: as tasks of one job, each reported as soon as the task that made it is accepted.
struct FarmStills: Sendable {
    let connection: CoordinatorConnection
    let submitter: EditSubmitter
    let pictures: LocalPictures
    /// How long an unreachable coordinator is waited for.
    var patience: Duration = .seconds(60)

    /// - Parameter stills: in the order of their frames, each frame once.
    /// - Throws: `CancellationError`, after which the job is cancelled; ``CommandFailure`` or `ClientError` when there
    ///   is no job, or the farm stays away.
    func make(
        _ stills: [StillRun.Job],
        format: StillFormat,
        box: PictureSize?,
        _ report: StillReport
    ) async throws {
        let (file, frames) = try pictures.edit(showing: stills.map(\.frame))
        let order = StillsOrder(frames: frames, format: format, box: box)
        let known = Dictionary(zip(frames, stills)) { first, _ in first }
        let job = try await submitter.submit(file, stills: order)
        try await connection.cancelling(job.id) { try await follow(job.id, order.parts, known, report) }
    }

    /// One image of all frames.
    /// - Throws: as ``make(_:format:box:_:)``, and ``CommandFailure`` when the job failed.
    func makeSheet(_ order: StillsOrder, to output: OutputFile) async throws {
        var order = order
        let file: EditFile
        (file, order.frames) = try pictures.edit(showing: order.frames)
        let job = try await submitter.submit(file, stills: order)
        let watcher = JobWatcher(connection: connection, display: ProgressDisplay(json: false, quiet: true))
        try await connection.cancelling(job.id) { _ = try await watcher.deliver(job.id, to: output) }
    }

    private func follow(
        _ id: JobID,
        _ parts: [StillsOrder],
        _ known: [Int64: StillRun.Job],
        _ report: StillReport
    ) async throws {
        var taken: Set<TaskID> = []
        var lastAnswer = ContinuousClock.now
        while true {
            do {
                // The job first: when it is final, so are all tasks that are asked for after it.
                let job = try await connection.job(id)
                for task in try await connection.tasks(of: id) where task.state.isFinal && !taken.contains(task.id) {
                    let frames = parts.indices.contains(task.position) ? parts[task.position].frames : []
                    let stills = frames.compactMap { frame in known[frame].map { (frame: frame, job: $0) } }
                    try await take(task, of: id, stills, report)
                    taken.insert(task.id)
                }
                lastAnswer = .now
                if job.state.isFinal { return }
            } catch let error as ClientError {
                try Task.checkCancellation()
                guard error.isTransient, lastAnswer.duration(to: .now) < patience else { throw error }
            }
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    private func take(
        _ task: TaskView,
        of job: JobID,
        _ stills: [(frame: Int64, job: StillRun.Job)],
        _ report: StillReport
    ) async throws {
        switch task.state {
        case .completed:
            let bytes = try await connection.stills(of: job, task: task.id)
            guard task.artifact.map({ $0 == ContentDigest(of: bytes) }) ?? true,
                let pack = StillPack(decoding: bytes)
            else {
                return fail(stills.map(\.job), "the images arrived with other bytes than the farm recorded", report)
            }
            let made = Dictionary(pack.stills.map { ($0.frame, $0.image) }) { first, _ in first }
            for still in stills { try await deliver(still.job, made[still.frame], report) }
        case .failed: fail(stills.map(\.job), task.failure?.message ?? "no reason was given", report)
        case .queued, .leased, .cancelled: break
        }
    }

    private func deliver(
        _ still: StillRun.Job,
        _ image: Result<[UInt8], Failure>?,
        _ report: StillReport
    ) async throws {
        do {
            guard let image = try image?.get() else { return fail([still], "the farm did not make it", report) }
            try await still.file.deliver { sink in try image.withUnsafeBytes(sink) }
            report.done(still.positions, frame: still.frame, path: still.file.path)
        } catch let failure as Failure {
            fail([still], failure.message, report)
        } catch let error as CommandFailure {
            fail([still], error.lines.joined(separator: " "), report)
        }
    }

    private func fail(_ stills: [StillRun.Job], _ reason: String, _ report: StillReport) {
        report.failed(stills.flatMap(\.positions), reason)
    }
}
