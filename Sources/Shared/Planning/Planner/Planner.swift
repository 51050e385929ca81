package import CompositionModel
import Timing

/// Divides one output of a composition into tasks (docs/planning.md). The same arguments give the same plan on every
/// machine, whatever the farm looks like.
package enum Planner {
    /// Plans one output of `composition`.
    /// - Parameters:
    ///   - output: The position in `composition.outputs`.
    ///   - facts: The facts of every asset of the composition, by digest.
    ///   - segmentCount: The number of equal parts, for tests, at most one per frame; it also divides the sound where
    ///     that changes none of its bytes. Nil chooses by the grid.
    /// - Throws: ``PlanError``; ``PlanError/invalidComposition(_:)`` when ``Composition/findings()`` has errors.
    package static func plan(
        _ composition: Composition,
        output: Int,
        facts: [ContentDigest: AssetFacts],
        segmentCount: Int? = nil
    ) throws(PlanError) -> RenderPlan {
        try check(composition, output: output, facts: facts)
        return try Planning(composition, output: composition.outputs[output], facts: facts, segmentCount: segmentCount)
            .plan()
    }

    /// The same plan, and a survey that tells how many frames of the output could be copied if it followed a source.
    /// Both use the same resolved picture, which is much of the work where an edit has very many clips.
    /// - Returns: no survey where the preset `match` would make another picture, or copies already.
    /// - Throws: what ``plan(_:output:facts:segmentCount:)`` does.
    package static func planWithSurvey(
        _ composition: Composition,
        output: Int,
        facts: [ContentDigest: AssetFacts],
        segmentCount: Int? = nil
    ) throws(PlanError) -> (plan: RenderPlan, survey: CopySurvey?) {
        try check(composition, output: output, facts: facts)
        let settings = composition.outputs[output]
        let planning = try Planning(composition, output: settings, facts: facts, segmentCount: segmentCount)
        let (plan, runs) = try planning.planWithRuns()
        guard let video = settings.video, CopySurvey.mayFollow(settings, in: composition) else { return (plan, nil) }
        let survey = CopySurvey(
            composition.format,
            encoding: video,
            range: planning.range,
            runs: runs,
            assets: planning.assets
        )
        return (plan, survey)
    }

    /// The tasks, in order of time, that make the measurement `order` of the output's sound.
    /// - Parameters:
    ///   - output: The position in `composition.outputs`.
    ///   - facts: The facts of every asset of the composition, by digest.
    ///   - order: The quantity and the range to measure; the range is cut at the ends of the output.
    ///   - segmentCount: The number of pieces, for tests, at most one per cell (``MeasureGrid``). Nil chooses by
    ///     length.
    /// - Returns: No tasks when the output has no sound.
    /// - Throws: ``PlanError``, as ``plan(_:output:facts:segmentCount:)`` does.
    package static func measures(
        _ composition: Composition,
        output: Int,
        facts: [ContentDigest: AssetFacts],
        order: MeasureOrder,
        segmentCount: Int? = nil
    ) throws(PlanError) -> [PlannedMeasure] {
        try check(composition, output: output, facts: facts)
        return try Planning(composition, output: composition.outputs[output], facts: facts, segmentCount: segmentCount)
            .measures(order)
    }

    private static func check(
        _ composition: Composition,
        output: Int,
        facts: [ContentDigest: AssetFacts]
    ) throws(PlanError) {
        let findings = composition.findings()
        if findings.contains(where: { $0.severity == .error }) { throw .invalidComposition(findings) }
        guard composition.outputs.indices.contains(output) else {
            throw .noSuchOutput(output, count: composition.outputs.count)
        }
        for asset in composition.assets where facts[asset.digest] == nil { throw .missingFacts(asset.digest) }
    }
}

/// The inputs of one call to the planner.
private struct Planning {
    let composition: Composition
    let output: OutputSettings
    let range: FrameRange
    let assets: AssetTable
    let segmentCount: Int?

    init(
        _ composition: Composition,
        output: OutputSettings,
        facts: [ContentDigest: AssetFacts],
        segmentCount: Int?
    ) throws(PlanError) {
        self.composition = composition
        self.output = output
        range = output.range ?? FrameRange(start: 0, count: composition.frameCount)
        assets = try AssetTable(composition, facts: facts, size: output.size)
        self.segmentCount = segmentCount
    }

    var rate: FrameRate { composition.format.frameRate }

    func plan() throws(PlanError) -> RenderPlan { try planWithRuns().plan }

    /// The plan, and the whole timeline's picture in the output's size; none where the output has no picture.
    func planWithRuns() throws(PlanError) -> (plan: RenderPlan, runs: [SliceInstruction]) {
        let sound = try sound()
        let runs =
            if output.video == nil || range.isEmpty {
                [SliceInstruction]()
            } else {
                try PictureRuns(composition, size: output.size, facts: assets).resolved()
            }
        let pictures = try pictures(runs)
        let plan = RenderPlan(
            output: output,
            frameRate: rate,
            frameCount: range.count,
            sampleRate: composition.format.sampleRate,
            sampleCount: try samples().count,
            segments: pictures.segments,
            encoded: pictures.encoded,
            lost: pictures.lost,
            sound: sound?.whole,
            soundPieces: sound?.pieces ?? [],
            encodedSound: sound?.encoded,
            undividedSound: sound?.undivided,
            soundRounds: sound?.rounds
        )
        return (plan, runs)
    }

    /// The samples of the timeline that the output renders.
    private func samples() throws(PlanError) -> SampleRange {
        if let range = output.soundRange { return range }
        let samples = try exact { () throws(TimeError) in try composition.samples(ofFrames: range) }
        return SampleRange(start: samples.lowerBound, count: Int64(samples.count))
    }

    private struct Sound {
        var whole: SoundTask
        var pieces: [PlannedSound]
        var undivided: UndividedSound?
        var encoded: [EncodedSoundShare]?
        var rounds: [[PlannedMeasure]]?
    }

    /// The sound of the output; nil when it has none.
    private func sound() throws(PlanError) -> Sound? {
        guard let encoding = output.audio else { return nil }
        if let segmentCount, !(1...Limits.mostForcedSegments ~= segmentCount) { throw .tooManySegments(segmentCount) }
        let builder = SoundTaskBuilder(composition: composition, assets: assets, encoding: encoding)
        let whole = try builder.task(for: samples())
        let copies = output.video?.copies == true ? builder.copies(of: whole, count: segmentCount) : nil
        let copied = copies.flatMap { $0.runs.isEmpty ? nil : $0 }
        let pieces =
            if let copied {
                try builder.pieces(of: whole, copying: copied)
            } else {
                try builder.pieces(of: whole, count: segmentCount)
            }
        return Sound(
            whole: whole,
            pieces: pieces,
            undivided: builder.reasonNotToDivide(whole, count: segmentCount),
            encoded: output.video?.copies == true ? copies?.encoded() ?? notCopied(whole) : nil,
            rounds: pieces.count > 1 ? try builder.rounds(of: whole, count: segmentCount) : nil
        )
    }

    /// Why none of `whole` is copied, where it is made by one task, or of coded sound in a container that holds it as
    /// PCM; nil for PCM of PCM, which loses nothing.
    private func notCopied(_ whole: SoundTask) -> [EncodedSoundShare]? {
        guard whole.sampleCount > 0 else { return nil }
        if whole.encoding.codec == .aac { return [EncodedSoundShare(reason: .undivided, samples: whole.sampleCount)] }
        let streams = whole.assets.flatMap { assets.facts(of: $0)?.audio ?? [] }
        guard output.container == .matroska, streams.contains(where: { $0.copy?.stretches.isEmpty == false }) else {
            return nil
        }
        return [EncodedSoundShare(reason: .matroska, samples: whole.sampleCount)]
    }

    func measures(_ order: MeasureOrder) throws(PlanError) -> [PlannedMeasure] {
        guard let encoding = output.audio else { return [] }
        let builder = SoundTaskBuilder(composition: composition, assets: assets, encoding: encoding)
        var whole = try builder.task(for: samples())
        let skipped = max(0, min(order.firstSample ?? 0, whole.sampleCount))
        whole.firstSample += skipped
        whole.sampleCount = max(0, min(whole.sampleCount - skipped, order.sampleCount ?? .max))
        if order.speakers?.count == whole.channels { whole.speakers = order.speakers }
        return try builder.measures(of: whole, order.what, count: segmentCount)
    }

    private struct Pictures {
        var segments: [PlannedSegment] = []
        var encoded: [EncodedShare]?
        var lost: [LostMessages]?
    }

    private func pictures(_ runs: [SliceInstruction]) throws(PlanError) -> Pictures {
        guard let encoding = output.video, !range.isEmpty else { return Pictures() }
        let copies = try CopySpans(
            format: composition.format,
            size: output.size,
            encoding: encoding,
            runs: runs,
            assets: assets
        ).limited(in: range)
        if encoding.isCopyOnly {
            let rest = try copies.uncopied(in: range)
            guard rest.isEmpty else { throw .notCopied(rest, output.match?.coding ?? encoding.codec.title, rate) }
        }
        let builder = PictureTaskBuilder(
            format: composition.format,
            size: output.size,
            encoding: encoding,
            runs: runs,
            assets: assets,
            copies: copies,
            end: range.end
        )
        let edges = [range.start, range.end].map { BorderCandidate(frame: $0, reason: .edge, tie: 0) }
        let borders = [edges[0]] + (try self.borders(of: runs, copies, encoding)) + [edges[1]]
        var pictures = Pictures()
        pictures.segments.reserveCapacity(borders.count - 1)
        for (start, end) in zip(borders, borders.dropFirst()) {
            try PlanError.step()
            pictures.segments.append(try segment(from: start, to: end, builder: builder))
        }
        guard encoding.copies == true else { return pictures }
        pictures.encoded = try copies.encoded(in: range)
        pictures.lost = try copies.lost(in: range)
        return pictures
    }

    private func borders(
        of runs: [SliceInstruction],
        _ copies: CopySpans,
        _ encoding: VideoEncoding
    ) throws(PlanError) -> [BorderCandidate] {
        let grid = try SegmentGrid(range: range, rate: rate, rule: .standard)
        if let segmentCount {
            guard 1...Limits.mostForcedSegments ~= segmentCount else { throw .tooManySegments(segmentCount) }
            return grid.forced(segmentCount, copied: encoding.isCopyOnly ? try copies.spans(in: range) : [])
        }
        let candidates = try BorderCandidates(runs, assets: assets, rate: rate, rule: .standard)
        return try grid.choose(candidates, copied: copies.spans(in: range))
    }

    private func segment(
        from start: BorderCandidate,
        to end: BorderCandidate,
        builder: PictureTaskBuilder
    ) throws(PlanError) -> PlannedSegment {
        let count = end.frame - start.frame
        let task = try builder.task(for: FrameRange(start: start.frame, count: count))
        return PlannedSegment(
            frames: FrameRange(start: start.frame - range.start, count: count),
            startBorder: start.reason,
            endBorder: end.reason,
            task: task,
            key: try task.key(),
            estimatedCost: try CostEstimate(assets: assets).seconds(of: task)
        )
    }
}

extension PictureTask {
    /// The segment key: the digest of everything that determines the segment's bytes except library versions, which the
    /// farm pins. Equal keys mean equal bytes.
    /// - Throws: ``PlanError/time(_:)``, which no task causes: integers and strings always have a canonical form.
    package func key() throws(PlanError) -> ContentDigest {
        do { return try ContentDigest(canonical: self, prefix: PictureTaskBuilder.keyPrefix) } catch {
            // A task holds integers and strings only, which always have a canonical form.
            throw .time(.overflow)
        }
    }
}
