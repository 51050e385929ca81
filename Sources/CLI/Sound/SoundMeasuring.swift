import Foundation
import Sandbox
import Shared
import Storage

/// Measures the sound of an edit or a file: on a farm where one is named, else here, what is long in as many processes
/// as there are cores. The result is the same.
struct SoundMeasuring: Sendable {
    let pictures: LocalPictures
    let farm: FarmMeasures?
    /// Processes that work at once here.
    let workers: Int
    /// Where all that is unfinished goes.
    let folder: String

    /// Samples of a piece that is worth a process, at the least: a minute at 48 kHz.
    private static let leastPiece: Int64 = 2_880_000

    /// - Parameter task: the sound of `pictures`.
    /// - Throws: ``CommandFailure``, `RenderFailed`, `ClientError`, `CancellationError`.
    func loudness(of task: SoundTask) async throws -> LoudnessSummary {
        let result: RenderResult
        if let pieces = try await pieces(of: task, .loudness) {
            result = try await join(pieces, of: task, .loudness)
        } else {
            let (sources, readable) = try await pictures.sources(task.assets, scratch: folder)
            let request = LoudnessRequest(task: task, sources: sources, scratchFolder: folder)
            result = try await hear(.loudness(request), task, readable)
        }
        guard case .loudness(let summary) = result else {
            throw CommandFailure(.internalError, "The render process answered something else.")
        }
        return summary
    }

    /// - Parameter output: a path in `folder`.
    /// - Throws: as ``loudness(of:)``.
    func waveform(of task: SoundTask, as order: WaveformOrder, to output: String) async throws {
        if let pieces = try await pieces(of: task, .waveform(grid: order.grid, channels: order.channels)) {
            try await join(pieces, of: task, .waveform(order, output: output))
            return
        }
        let (sources, readable) = try await pictures.sources(task.assets, scratch: folder)
        let request = WaveformRequest(
            task: task,
            sources: sources,
            scratchFolder: folder,
            order: order,
            output: output
        )
        try await hear(.waveform(request), task, readable)
    }

    /// All in one process.
    @discardableResult
    private func hear(_ request: RenderRequest, _ task: SoundTask, _ readable: [String]) async throws -> RenderResult {
        let progress = HearingProgress(pieces: 1, seconds: task.seconds)
        defer { progress.finish() }
        return try await pictures.run(
            request,
            readable: readable,
            writable: [folder],
            onProgress: { progress.note($0, of: 0) },
            say: progress.say
        )
    }

    /// - Returns: files that ``join(_:of:_:)`` takes; nil where one process hears all.
    private func pieces(of task: SoundTask, _ what: SoundMeasure) async throws -> [String]? {
        let order = MeasureOrder(
            what,
            firstSample: task.firstSample - (pictures.plan.sound?.firstSample ?? 0),
            sampleCount: task.sampleCount,
            speakers: task.speakers
        )
        if let farm { return try await farm.pieces(order, in: folder) }
        let count = min(Int64(workers), task.sampleCount / Self.leastPiece)
        guard count > 1 else { return nil }
        let tasks = try pictures.measures(order, count: Int(count))
        guard tasks.count > 1 else { return nil }
        let progress = HearingProgress(pieces: tasks.count, seconds: task.seconds)
        defer { progress.finish() }
        return try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for (number, task) in tasks.enumerated() {
                group.addTask { (number, try await piece(task, number, progress)) }
            }
            return try await group.reduce(into: tasks.map { _ in "" }) { $0[$1.0] = $1.1 }
        }
    }

    private func piece(_ task: MeasureTask, _ number: Int, _ progress: HearingProgress) async throws -> String {
        let own = folder + "/work-\(number)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
        let (sources, readable) = try await pictures.sources(task.sound.assets, scratch: own)
        let request = MeasureRequest(task: task, sources: sources, scratchFolder: own, output: own + "/piece")
        try await pictures.run(
            .measure(request),
            readable: readable,
            writable: [own],
            onProgress: { progress.note($0, of: number) },
            say: progress.say
        )
        return own + "/piece"
    }

    @discardableResult
    private func join(
        _ pieces: [String],
        of task: SoundTask,
        _ result: JoinRequest.Result
    ) async throws -> RenderResult {
        let request = JoinRequest(
            pieces: pieces,
            sampleRate: task.sampleRate,
            channels: task.channels,
            programme: task.sampleCount,
            result: result
        )
        return try await pictures.run(.join(request), readable: pieces, writable: [folder])
    }
}

extension SoundTask {
    fileprivate var seconds: Double { Double(sampleCount) / Double(max(1, sampleRate)) }
}
