import CompositionModel
import Planning

/// The mix of a task, or of an edit nested in it, made ready: what it needs of each source, and the levels below.
struct SoundLevel {
    let plan: MixPlan
    let needed: [SoundStream: SampleRanges]
    /// The levels below, by position in the task's nested edits.
    let nested: [Int: SoundLevel]
    /// Streams that are read once, forwards: they need not be decoded before.
    let streamed: Set<SoundStream>

    /// - Parameters:
    ///   - heard: what is mixed of the timeline; nil is all of it, in order.
    ///   - sampleRate: gives the sample rate of each stream of an asset.
    /// - Throws: ``RenderError`` of ``MixPlan/init(_:sampleRate:isMono:)``; what `sampleRate` and `isMono` throw.
    init(
        _ task: SoundTask,
        heard: SampleRanges? = nil,
        sampleRate: (SoundStream) throws -> Int,
        isMono: (SoundStream) throws -> Bool = { _ in false }
    ) throws {
        try self.init(task, heard: heard, inside: task, sampleRate: sampleRate, isMono: isMono)
    }

    /// - Parameters:
    ///   - task: the task of this level.
    ///   - heard: the samples of it that are needed; nil is all.
    ///   - whole: knows the nested edits.
    private init(
        _ task: SoundTask,
        heard: SampleRanges?,
        inside whole: SoundTask,
        sampleRate: (SoundStream) throws -> Int,
        isMono: (SoundStream) throws -> Bool
    ) throws {
        let edits = task.nested ?? []
        func edit(_ stream: SoundStream) throws -> NestedSound {
            guard edits.indices.contains(stream.asset) else { throw RenderError.unknownNestedEdit(stream.asset) }
            return edits[stream.asset]
        }
        plan = try MixPlan(
            task,
            sampleRate: { try $0.isNested ? edit($0).sampleRate : sampleRate($0) },
            isMono: { try $0.isNested ? edit($0).channels == 1 : isMono($0) }
        )
        needed = plan.neededSamples(of: heard)
        streamed = heard == nil ? plan.streamed : []
        var nested: [Int: SoundLevel] = [:]
        // Clips with maps of their own read other parts of the same edit.
        let heardOf = Dictionary(grouping: needed.filter(\.key.isNested), by: \.key.asset)
        for (place, streams) in heardOf {
            nested[place] = try SoundLevel(
                whole.nested(place),
                // The loudness of an edit is that of the whole.
                heard: edits[place].master?.loudness == nil ? SampleRanges(streams.flatMap(\.value.ranges)) : nil,
                inside: whole,
                sampleRate: sampleRate,
                isMono: isMono
            )
        }
        self.nested = nested
    }

    /// Samples that are decoded and kept, here and below.
    var decodedCount: Int64 {
        let own = needed.filter { !$0.key.isNested && !streamed.contains($0.key) }
            .values.reduce(0) { $0 + $1.sampleCount }
        return nested.values.reduce(own) { $0 + $1.decodedCount }
    }

    /// Samples that are mixed, here and below, to measure their loudness once.
    var measuredCount: Int64 {
        let isMeasured = plan.master?.loudness != nil && plan.loudness == nil
        return nested.values.reduce(isMeasured ? Int64(plan.window.count) : 0) { $0 + $1.measuredCount }
    }
}

extension SoundTask {
    /// The task of the edit at `place` among the nested ones. It hears those before it only, so that none can play
    /// itself.
    fileprivate func nested(_ place: Int) -> SoundTask {
        let edits = nested ?? []
        let edit = edits[place]
        var inner = self
        (inner.sampleRate, inner.channels) = (edit.sampleRate, edit.channels)
        (inner.firstSample, inner.sampleCount) = (0, edit.sampleCount)
        (inner.tracks, inner.master) = (edit.tracks, edit.master)
        (inner.loudness, inner.extent) = (nil, .whole)
        inner.nested = Array(edits.prefix(place))
        return inner
    }
}

extension RenderError {
    fileprivate static func unknownNestedEdit(_ number: Int) -> RenderError {
        RenderError("invalid_sound_task", "The sound task has no nested edit \(number).", isPermanent: true)
    }
}
