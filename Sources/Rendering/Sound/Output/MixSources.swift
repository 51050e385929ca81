import CompositionModel
import Media
import Planning

/// Opens what the mix of a task reads, and decodes what has to be there before the mix begins.
struct MixSources {
    /// The damage of all sources that were opened.
    let damage = HeardDamage()
    private let task: SoundTask
    private let sources: [RenderSource]
    private let scratch: ScratchFile

    /// - Parameters:
    ///   - sources: the assets of the task, in the order of `task.assets`.
    ///   - scratch: takes the decoded sound.
    init(task: SoundTask, sources: [RenderSource], scratch: ScratchFile) {
        (self.task, self.sources, self.scratch) = (task, sources, scratch)
    }

    /// The mixer of `level` with all its sources; edits nested in it are opened, and brought to their loudness, first.
    /// - Parameter progress: told of decoded and of measured samples.
    /// - Throws: ``RenderError`` of a source, which it names, or of a task that is not consistent.
    func mixer(of level: SoundLevel, progress: inout SoundProgress) throws -> SoundMixer {
        var opened: [SoundStream: any SampleSource] = [:]
        for (stream, ranges) in level.needed.sorted(by: { $0.key < $1.key }) {
            opened[stream] = try source(of: stream, ranges, in: level, progress: &progress)
        }
        return SoundMixer(level.plan, sources: opened)
    }

    private func source(
        of stream: SoundStream,
        _ ranges: SampleRanges,
        in level: SoundLevel,
        progress: inout SoundProgress
    ) throws -> any SampleSource {
        let channels = level.plan.channels
        if let inner = level.nested[stream.asset], stream.isNested {
            return try nested(inner, channels: channels, map: stream.map, progress: &progress)
        }
        let facts = try sources.facts(of: stream)
        if facts.codec == GeneratedSound.codec {
            let source = try generated(stream, facts, channels: channels)
            progress.decoded(level.streamed.contains(stream) ? 0 : ranges.sampleCount)
            return source
        }
        if level.streamed.contains(stream) { return try streamed(stream, facts, channels: channels) }
        return try decoded(stream, facts, ranges, channels: channels, progress: &progress)
    }

    private func nested(
        _ level: SoundLevel,
        channels: Int,
        map: [[Int64]]?,
        progress: inout SoundProgress
    ) throws -> NestedSoundSource {
        let mixer = try mixer(of: level, progress: &progress)
        _ = try LoudnessPass.adjust(mixer, level.plan, progress: &progress)
        return try NestedSoundSource(mixer, level.plan, channels: channels, map: map)
    }

    private func generated(
        _ stream: SoundStream,
        _ facts: AudioStreamFacts,
        channels: Int
    ) throws -> GeneratedSoundSource {
        guard let sound = try GeneratedSound(sources[stream.asset].bytes) else {
            throw RenderError("asset_changed", "Source \(stream.asset) is no generated sound any more.")
        }
        return try GeneratedSoundSource(sound, facts, channels: channels, map: stream.map)
    }

    /// A stream that is decoded while the mix reads it.
    private func streamed(_ stream: SoundStream, _ facts: AudioStreamFacts, channels: Int) throws -> StreamedSource {
        let source = try StreamedSource(
            facts,
            of: sources[stream.asset].bytes,
            channels: channels,
            map: stream.map
        ) { RenderError($0, of: task.assets[stream.asset]) }
        damage.watch(source, of: stream.asset)
        return source
    }

    /// A stream of which `ranges` are decoded now and kept.
    private func decoded(
        _ stream: SoundStream,
        _ facts: AudioStreamFacts,
        _ ranges: SampleRanges,
        channels: Int,
        progress: inout SoundProgress
    ) throws -> SoundSource {
        let source = try SoundSource(facts, needed: ranges, channels: channels, map: stream.map, scratch: scratch)
        do {
            let found = try decode(facts, of: sources[stream.asset].bytes, into: source, progress: &progress)
            damage.add(found, of: stream.asset, facts, heard: ranges)
        } catch let error as MediaError {
            throw RenderError(error, of: task.assets[stream.asset])
        }
        return source
    }

    /// Decodes what `source` keeps of the stream, cell by cell.
    /// - Returns: the damage in the cells.
    private func decode(
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
}

extension [RenderSource] {
    /// The facts of `stream`, which is of an asset.
    /// - Throws: ``RenderError`` `sound_stream_missing`.
    func facts(of stream: SoundStream) throws -> AudioStreamFacts {
        guard indices.contains(stream.asset),
            let facts = self[stream.asset].facts.audio.first(where: { $0.streamIndex == stream.index })
        else {
            throw RenderError(
                "sound_stream_missing",
                "Asset \(stream.asset) of the task has no sound stream \(stream.index); submit the edit again.",
                isPermanent: true
            )
        }
        return facts
    }
}
