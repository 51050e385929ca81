package import CompositionModel
import Foundation
import Pixels
package import Planning
import Samples
import WireProtocol

/// Measures a piece of a mix: what it writes joins with that of the other pieces to what the whole gives, to the bit.
/// ```
///  pre-roll │ piece         the pre-roll is heard by the filters of loudness alone
/// ```
package enum MeasureRenderer {
    /// - Parameters:
    ///   - sources: in the order of the assets of the task's sound.
    ///   - path: the path of the file, a ``LoudnessPiece`` or a ``WaveformPiece``; it is there whole afterwards, or not
    ///     at all.
    ///   - scratchFolder: where decoded sound is kept while this works; nothing is left behind.
    ///   - progress: 0 … 1000, never less than before.
    ///   - warn: told that the loudness target of the mix cannot be reached.
    /// - Returns: samples of a channel that were measured.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func measure(
        _ task: MeasureTask,
        sources: [RenderSource],
        to path: String,
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        try task.validate()
        func hear(_ take: ([SampleBuffer], _ isPreRoll: Bool) -> Void) throws {
            let preRoll = Int(task.sound.extent.preRoll)
            var place = 0
            try SoundRenderer.mix(
                task.sound,
                sources: sources,
                scratchFolder: scratchFolder,
                progress: progress,
                warn: warn
            ) { samples in
                let count = samples[0].count
                let preRollCount = min(max(preRoll - place, 0), count)
                if preRollCount > 0 { take(samples.map { SampleBuffer(rebasing: $0[..<preRollCount]) }, true) }
                if preRollCount < count { take(samples.map { SampleBuffer(rebasing: $0[preRollCount...]) }, false) }
                place += count
            }
        }
        switch task.what {
        case .loudness: try write(try loudness(task, hear).encoded(), to: path)
        case .waveform(let grid, let channels): try write(try waveform(task, grid, channels, hear).encoded(), to: path)
        }
        return task.sound.sampleCount
    }

    private typealias Hearing = (([SampleBuffer], _ isPreRoll: Bool) -> Void) throws -> Void

    private static func loudness(_ task: MeasureTask, _ hear: Hearing) throws -> LoudnessPiece {
        let sound = task.sound
        let meter = LoudnessMeter(weights: LoudnessPass.weights(of: sound), sampleRate: sound.sampleRate)
        // The filters of a cell begin ``LoudnessMeter/memory`` samples before it, wherever the pre-roll begins.
        var unheard = Int(sound.extent.preRoll) - meter.memory
        guard task.start == 0 || unheard >= 0 else { throw RenderError.invalidMeasureTask("its pre-roll is too short") }
        try hear { samples, isPreRoll in
            guard isPreRoll else { return meter.measure(samples) }
            let skipped = min(max(unheard, 0), samples[0].count)
            unheard -= samples[0].count
            if skipped < samples[0].count {
                meter.measure(samples.map { SampleBuffer(rebasing: $0[skipped...]) }, isHeard: false)
            }
        }
        if task.isEnd { meter.finish() }
        return LoudnessPiece(of: task, meter.reading)
    }

    private static func waveform(
        _ task: MeasureTask,
        _ grid: WaveformGrid,
        _ channels: WaveformOrder.Channels,
        _ hear: Hearing
    ) throws -> WaveformPiece {
        let meter = WaveformMeter(
            grid,
            sampleCount: task.wholeSampleCount,
            channels: channels.count(of: task.sound.channels),
            piece: task.start..<task.start + task.sound.sampleCount
        )
        let steps = SampleSteps()
        try hear { samples, isPreRoll in
            guard !isPreRoll else { return }
            steps.fill(samples, channels)
            steps.withChannels { meter.take($0) }
        }
        let (first, columns) = meter.pieceColumns
        return WaveformPiece(of: task, firstColumn: first, columns: columns)
    }

    private static func write(_ bytes: [UInt8], to path: String) throws { try StillFile.write(Data(bytes), to: path) }
}

extension MeasureTask {
    /// - Throws: ``RenderError`` `invalid_measure_task`.
    fileprivate func validate() throws(RenderError) {
        try require(sound.sampleCount > 0 && sound.extent.postRoll == 0, "nothing is in it")
        let latest = wholeSampleCount - sound.sampleCount
        try require(latest >= 0 && (0...max(latest, 0)).contains(start), "it is no piece")
        try require(start > 0 || sound.extent.preRoll == 0, "nothing lies before it")
        switch what {
        case .loudness:
            let cell = MeasureGrid.cell(sampleRate: sound.sampleRate)
            try require(start % cell == 0 && (isEnd || sound.sampleCount % cell == 0), "it is not of whole cells")
        case .waveform:
            let problem = MeasureOrder(what).problem(sampleCount: wholeSampleCount, channels: sound.channels)
            try require(problem == nil, problem ?? "")
        }
    }

    private func require(_ holds: Bool, _ what: String) throws(RenderError) {
        guard !holds else { return }
        throw RenderError.invalidMeasureTask(what)
    }
}

extension RenderError {
    fileprivate static func invalidMeasureTask(_ what: String) -> RenderError {
        RenderError("invalid_measure_task", "The measuring task is invalid: \(what); plan it again.", isPermanent: true)
    }
}
