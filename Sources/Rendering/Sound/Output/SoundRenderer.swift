import Foundation
import Media
import Pixels
public import Shared

/// Renders the sound of an output, or a piece of it: decodes what it hears of every source stream, mixes, encodes,
/// writes one packet file.
/// ```
/// sources ─decode in cells─► scratch file ─mix by absolute sample─► encoder ─► packet file
/// ```
/// Memory does not grow with the length of the timeline or of the sources.
public enum SoundRenderer {
    /// Samples mixed at a time, and samples of a PCM packet. A multiple of AAC's 1024.
    static let blockSize = 4096

    /// - Parameters:
    ///   - sources: in the order of `task.assets`; their indexes are not used.
    ///   - path: of the packet file, which is replaced. It holds exactly `task.sampleCount` samples, and the priming
    ///     where it is the last piece.
    ///   - scratchFolder: where decoded sound is kept while this works, as Float; nothing is left behind.
    ///   - progress: told 0 … 1000, never less than before.
    ///   - warn: told that the loudness target cannot be reached, and at the end which sources are damaged where.
    /// - Returns: `task.sampleCount`.
    /// - Throws: ``RenderError``, ``MediaError``.
    public static func render(
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

    /// Mixes the whole of `task`, lead and tail too, in order, and hands it on.
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
            sampleRate: { try facts(of: $0, in: sources).sampleRate },
            isMono: { try facts(of: $0, in: sources).channels == 1 }
        )
        try withoutActuallyEscaping(progress) { report in
            var progress = SoundProgress(
                decoded: level.decodedCount,
                measured: level.measuredCount,
                sampleCount: task.mixedCount,
                report: report
            )
            let scratch = try ScratchFile(folder: scratchFolder)
            let damage = HeardDamage()
            let mixer = try mixer(of: level, task, sources, scratch, damage, &progress)
            if let warning = try LoudnessPass.adjust(mixer, level.plan, progress: &progress) { warn(warning) }
            try mix(task, mixer, progress: &progress, take: take)
            damage.warnings(task.assets).forEach(warn)
        }
    }

    /// Decodes what `level` and the edits nested in it need, the innermost first.
    private static func mixer(
        of level: SoundLevel,
        _ task: SoundTask,
        _ sources: [RenderSource],
        _ scratch: ScratchFile,
        _ damage: HeardDamage,
        _ progress: inout SoundProgress
    ) throws -> SoundMixer {
        var decoded: [SoundStream: any SampleSource] = [:]
        for (stream, ranges) in level.needed.sorted(by: { $0.key < $1.key }) {
            if let inner = level.nested[stream.asset], stream.isNested {
                let mixer = try mixer(of: inner, task, sources, scratch, damage, &progress)
                _ = try LoudnessPass.adjust(mixer, inner.plan, progress: &progress)
                decoded[stream] = try NestedSoundSource(
                    mixer,
                    inner.plan,
                    channels: level.plan.channels,
                    map: stream.map
                )
                continue
            }
            let facts = try facts(of: stream, in: sources)
            if facts.codec == GeneratedSound.codec {
                guard let sound = try GeneratedSound(sources[stream.asset].bytes) else {
                    throw RenderError("asset_changed", "Source \(stream.asset) is no generated sound any more.")
                }
                decoded[stream] = try GeneratedSoundSource(
                    sound,
                    facts,
                    channels: level.plan.channels,
                    map: stream.map
                )
                progress.decoded(level.streamed.contains(stream) ? 0 : ranges.sampleCount)
                continue
            }
            if level.streamed.contains(stream) {
                let bytes = sources[stream.asset].bytes
                let source = try StreamedSource(
                    facts,
                    of: bytes,
                    channels: level.plan.channels,
                    map: stream.map
                ) { RenderError($0, of: task.assets[stream.asset]) }
                damage.watch(source, of: stream.asset)
                decoded[stream] = source
                continue
            }
            let source = try SoundSource(
                facts,
                needed: ranges,
                channels: level.plan.channels,
                map: stream.map,
                scratch: scratch
            )
            do {
                let found = try decode(facts, of: sources[stream.asset].bytes, into: source, progress: &progress)
                damage.add(found, of: stream.asset, facts, heard: ranges)
            } catch let error as MediaError {
                throw RenderError(error, of: task.assets[stream.asset])
            }
            decoded[stream] = source
        }
        return SoundMixer(level.plan, sources: decoded)
    }

    private static func facts(of stream: SoundStream, in sources: [RenderSource]) throws -> AudioStreamFacts {
        guard sources.indices.contains(stream.asset),
            let facts = sources[stream.asset].facts.audio.first(where: { $0.streamIndex == stream.index })
        else {
            throw RenderError(
                "sound_stream_missing",
                "Asset \(stream.asset) of the task has no sound stream \(stream.index); submit the edit again.",
                isPermanent: true
            )
        }
        return facts
    }

    /// What is needed of the stream, cell by cell.
    /// - Returns: the damage in the cells.
    private static func decode(
        _ facts: AudioStreamFacts,
        of bytes: any ByteSource,
        into source: SoundSource,
        progress: inout SoundProgress
    ) throws -> SoundDamage {
        let reader = try SoundReader(source: bytes, stream: facts)
        var position: Int64 = 0
        for range in source.ranges {
            if range.lowerBound > position { try reader.move(to: range.lowerBound) }
            while position < range.upperBound, let block = try reader.next() {
                try source.keep(block.channels, from: block.start)
                position = block.start + Int64(block.count)
            }
            progress.decoded(range.upperBound - range.lowerBound)
        }
        return reader.damage
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
