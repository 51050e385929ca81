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
        if let plan = task.packets {
            let joined = try JoinedSound(task, plan, sources: sources)
            try joined.render(to: path, scratchFolder: scratchFolder, progress: progress, warn: warn)
            return task.sampleCount
        }
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
        try mix(
            task,
            parts: nil,
            sources: sources,
            scratchFolder: scratchFolder,
            progress: progress,
            warn: warn
        ) { try take($1) }
    }

    /// Mixes parts of `task` in order and hands them on.
    /// - Parameters:
    ///   - parts: samples of the timeline, disjoint and in order; nil is all of it, which is decoded on the way where that
    ///     can be.
    ///   - take: the number on the timeline of the first sample, and the samples as above.
    static func mix(
        _ task: SoundTask,
        parts: [Range<Int64>]?,
        sources: [RenderSource],
        scratchFolder: String,
        progress: (Int) -> Void,
        warn: (Failure) -> Void = { _ in },
        take: (Int64, [UnsafeMutableBufferPointer<Double>]) throws -> Void
    ) throws {
        let level = try SoundLevel(
            task,
            heard: parts.map { SampleRanges($0) },
            sampleRate: { try sources.facts(of: $0).sampleRate },
            isMono: { try sources.facts(of: $0).channels == 1 }
        )
        try withoutActuallyEscaping(progress) { report in
            var progress = SoundProgress(
                decoded: level.decodedCount,
                measured: level.measuredCount,
                sampleCount: parts.map { $0.reduce(0) { $0 + Int64($1.count) } } ?? Int64(task.mixed.count),
                report: report
            )
            let opened = MixSources(task: task, sources: sources, scratch: try ScratchFile(folder: scratchFolder))
            let mixer = try opened.mixer(of: level, progress: &progress)
            if let warning = try LoudnessPass.adjust(mixer, level.plan, progress: &progress) { warn(warning) }
            try mix(task, parts ?? [task.mixed], mixer, progress: &progress, take: take)
            opened.damage.warnings(task.assets).forEach(warn)
        }
    }

    private static func mix(
        _ task: SoundTask,
        _ parts: [Range<Int64>],
        _ mixer: SoundMixer,
        progress: inout SoundProgress,
        take: (Int64, [UnsafeMutableBufferPointer<Double>]) throws -> Void
    ) throws {
        let buffers = SampleBuffers(channels: task.channels)
        defer { withExtendedLifetime(buffers) {} }
        var done: Int64 = 0
        for part in parts {
            var position = part.lowerBound
            while position < part.upperBound {
                let block = buffers.take(Int(min(Int64(blockSize), part.upperBound - position)))
                try mixer.mix(from: position - task.mixed.lowerBound, into: block)
                try take(position, block)
                position += Int64(block[0].count)
                done += Int64(block[0].count)
                progress.mixed(upTo: done)
            }
        }
        progress.finish()
    }
}
