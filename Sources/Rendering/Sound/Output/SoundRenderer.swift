package import CompositionModel
import Pixels
package import Planning

/// Renders the sound of an output, or a piece of it: decodes what it hears of every source stream, mixes, encodes,
/// writes one packet file.
/// ```
/// sources ─decode in cells─► scratch file ─mix by absolute sample─► encoder ─► packet file
/// ```
/// Memory does not grow with the length of the timeline or of the sources.
package enum SoundRenderer {
    /// Samples mixed at a time, and samples of a PCM packet. A multiple of AAC's 1024.
    static let blockSize = 4096

    /// - Parameters:
    ///   - sources: in the order of `task.assets`; their indexes are not used.
    ///   - path: the path of the packet file, which is replaced. It holds exactly `task.sampleCount` samples, and the
    ///     priming where it is the last piece.
    ///   - scratchFolder: where decoded sound is kept while this works, as Float; nothing is left behind.
    ///   - progress: told 0 … 1000, never less than before.
    ///   - warn: told that the loudness target cannot be reached, and at the end which sources are damaged where.
    /// - Returns: `task.sampleCount`.
    /// - Throws: ``RenderError``, ``MediaError``.
    package static func render(
        _ task: SoundTask,
        sources: [RenderSource],
        to path: String,
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in }
    ) throws -> Int64 {
        let writer = try SoundWriter(task, path: path)
        try mix(task, sources: sources, scratchFolder: scratchFolder, progress: progress, warn: warn) {
            try writer.write($0)
        }
        try writer.finish()
        return task.sampleCount
    }

    /// Mixes the whole of `task` in order, with its pre-roll and post-roll, and hands it on.
    /// - Parameter take: the next samples, one buffer a channel, not clipped; valid during the call.
    static func mix(
        _ task: SoundTask,
        sources: [RenderSource],
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in },
        take: ([UnsafeMutableBufferPointer<Double>]) throws -> Void
    ) throws {
        let level = try SoundLevel(
            task,
            sampleRate: { try sources.facts(of: $0).sampleRate },
            isMono: { try sources.facts(of: $0).channels == 1 }
        )
        try withoutActuallyEscaping(progress) { report in
            var progress = SoundProgress(
                decoded: level.decodedCount,
                measured: level.measuredCount,
                sampleCount: task.mixedCount,
                report: report
            )
            let opened = MixSources(task: task, sources: sources, scratch: try ScratchFile(folder: scratchFolder))
            let mixer = try opened.mixer(of: level, progress: &progress)
            if let warning = try LoudnessPass.adjust(mixer, level.plan, progress: &progress) { warn(warning) }
            try mix(task, mixer, progress: &progress, take: take)
            opened.damage.warnings(task.assets).forEach(warn)
        }
    }

    private static func mix(
        _ task: SoundTask,
        _ mixer: SoundMixer,
        progress: inout SoundProgress,
        take: ([UnsafeMutableBufferPointer<Double>]) throws -> Void
    ) throws {
        let buffers = SampleBuffers(channels: task.channels)
        defer { withExtendedLifetime(buffers) {} }
        var position: Int64 = 0
        while position < task.mixedCount {
            let block = buffers.take(Int(min(Int64(blockSize), task.mixedCount - position)))
            try mixer.mix(from: position, into: block)
            try take(block)
            position += Int64(block[0].count)
            progress.mixed(upTo: position)
        }
        progress.finish()
    }
}

extension SoundTask {
    fileprivate var mixedCount: Int64 { mixed.upperBound - mixed.lowerBound }
}
