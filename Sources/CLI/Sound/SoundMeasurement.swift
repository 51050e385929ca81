import Foundation
import Planning
import Sandbox
import WireProtocol

/// The measurement of the sound of an edit or a file: on a farm if one is named, else on this machine, where several
/// processes measure long sound. The result is the same everywhere.
struct SoundMeasurement: Sendable {
    let rendering: LocalRendering
    /// The farm that measures; nil for this machine.
    let farm: FarmMeasures?
    /// The number of processes that work at once on this machine.
    let workers: Int
    /// The folder for unfinished work.
    let folder: String

    /// The fewest samples per channel in a piece that justify a process: a minute at 48 kHz.
    private static let leastPieceSamples: Int64 = 2_880_000

    /// Measures the loudness (EBU R 128).
    /// - Parameter task: the sound of ``rendering``.
    /// - Throws: ``CommandFailure``, `RenderFailed` or `ClientError` when the sound cannot be measured;
    ///   `CancellationError`.
    func loudness(of task: SoundTask) async throws -> LoudnessSummary {
        let result: RenderResult
        if let pieces = try await pieces(of: task, .loudness) {
            result = try await join(pieces, of: task, .loudness)
        } else {
            let sources = try await rendering.sources.open(task.assets, scratch: folder)
            let request = LoudnessRequest(task: task, sources: sources.files, scratchFolder: folder)
            result = try await hear(.loudness(request), task, sources)
        }
        guard case .loudness(let summary) = result else {
            throw CommandFailure(.internalError, "The render process answered something else.")
        }
        return summary
    }

    /// Writes the waveform to a file.
    /// - Parameters:
    ///   - task: the sound of ``rendering``.
    ///   - output: a path in ``folder``.
    /// - Throws: as ``loudness(of:)``.
    func waveform(of task: SoundTask, as order: WaveformOrder, to output: String) async throws {
        if let pieces = try await pieces(of: task, .waveform(grid: order.grid, channels: order.channels)) {
            try await join(pieces, of: task, .waveform(order, output: output))
            return
        }
        let sources = try await rendering.sources.open(task.assets, scratch: folder)
        let request = WaveformRequest(
            task: task,
            sources: sources.files,
            scratchFolder: folder,
            order: order,
            output: output
        )
        try await hear(.waveform(request), task, sources)
    }

    /// Measures everything in one process.
    @discardableResult
    private func hear(
        _ request: RenderRequest,
        _ task: SoundTask,
        _ sources: LocalSources.Opened
    ) async throws -> RenderResult {
        let progress = HearingProgress(pieces: 1, seconds: task.seconds)
        defer { progress.finish() }
        return try await rendering.renderer.run(
            request,
            readable: sources.readable,
            writable: [folder],
            onProgress: { progress.note($0, of: 0) },
            say: progress.say
        )
    }

    /// Measures in pieces, on the farm or in several processes.
    /// - Returns: the files that ``join(_:of:_:)`` takes, in order of time; nil where one process measures everything.
    private func pieces(of task: SoundTask, _ what: SoundMeasure) async throws -> [String]? {
        let order = MeasureOrder(
            what,
            firstSample: task.firstSample - (rendering.plan.sound?.firstSample ?? 0),
            sampleCount: task.sampleCount,
            speakers: task.speakers
        )
        if let farm { return try await farm.pieces(order, in: folder) }
        let count = min(Int64(workers), task.sampleCount / Self.leastPieceSamples)
        guard count > 1 else { return nil }
        let tasks = try rendering.measures(order, count: Int(count))
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
        let sources = try await rendering.sources.open(task.sound.assets, scratch: own)
        let request = MeasureRequest(task: task, sources: sources.files, scratchFolder: own, output: own + "/piece")
        try await rendering.renderer.run(
            .measure(request),
            readable: sources.readable,
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
            wholeSampleCount: task.sampleCount,
            result: result
        )
        return try await rendering.renderer.run(.join(request), readable: pieces, writable: [folder])
    }
}

extension SoundTask {
    /// The length in seconds, for people.
    fileprivate var seconds: Double { Double(sampleCount) / Double(max(1, sampleRate)) }
}
