import CompositionModel
import Timing

/// Builds the task of one segment: the slice of a composition that it needs.
struct PictureTaskBuilder {
    let format: Format
    let size: PictureSize
    let encoding: VideoEncoding
    /// The runs of the whole composition.
    let runs: [SliceInstruction]
    let assets: AssetTable
    /// The frames of the timeline that can be copied.
    let copies: CopySpans
    /// The first frame that no segment may read: the end of the rendered range.
    let end: Int64

    static let keyPrefix = "cutfarm/segment-key/1\n"

    /// The task that renders the frames `frames` of the composition's timeline.
    /// - Throws: ``PlanError`` when a time overflows or too many nested edits are shown.
    func task(for frames: FrameRange) throws(PlanError) -> PictureTask {
        let spans = try copies.spans(in: frames)
        let postRoll = try postRoll(after: frames, spans)
        var instructions = try slices(FrameRange(start: frames.start, count: frames.count + postRoll))
        var edits = NestedSlices(assets: assets)
        instructions = try edits.collect(instructions, frameDuration: format.frameRate.frameDuration)
        var nested = edits.slices
        var numbering = AssetNumbering()
        numberAssets(in: &instructions, &numbering)
        for index in nested.indices { numberAssets(in: &nested[index].instructions, &numbering) }
        let copied = spans.map { span in
            CopiedSpan(
                frames: FrameRange(start: span.frames.start - frames.start, count: span.frames.count),
                asset: numbering.number(assets.digest(span.asset)),
                stream: span.stream,
                sourceFrame: span.sourceFrame,
                configuration: span.form.configuration
            )
        }
        let carried = try copies.carried(in: frames).map { span in
            CarriedSpan(
                frames: FrameRange(start: span.frames.start - frames.start, count: span.frames.count),
                asset: numbering.number(assets.digest(span.asset)),
                stream: span.stream,
                sourceFrame: span.sourceFrame,
                kinds: span.kinds
            )
        }
        return PictureTask(
            frameRate: format.frameRate,
            size: size,
            color: encoding.color ?? format.color,
            background: format.background,
            frameCount: frames.count,
            postRollCount: postRoll,
            assets: numbering.digests,
            instructions: instructions,
            nested: nested.isEmpty ? nil : nested,
            copies: copied.isEmpty ? nil : copied,
            carried: carried.isEmpty ? nil : carried,
            encoding: encoding,
            rendererVersion: Renderer.version
        )
    }

    /// The frames behind the segment that its encoder sees: none past a cut, where nothing plays on that was seen
    /// before. They would change what the encoder does by a thousandth, and cost the way to them from their keyframe
    /// (docs/design/performance.md). Where pictures are copied there are none past the end of the run that is encoded
    /// last: most encoded parts are short then, and what follows them is another shot or a copy.
    private func postRoll(after frames: FrameRange, _ spans: [CopySpans.Span]) throws(PlanError) -> Int64 {
        let most = max(0, min(Int64(encoding.postRoll), end - frames.end))
        guard most > 0 else { return 0 }
        guard encoding.copies == true else {
            return try cut(in: FrameRange(start: frames.end, count: most)) - frames.end
        }
        if spans.last?.frames.end == frames.end { return 0 }
        let place = runs.partitionPoint { $0.frames.end > frames.end }
        guard place < runs.count, runs[place].frames.start < frames.end else { return 0 }
        let left = min(most, runs[place].frames.end - frames.end)
        let next = try copies.spans(
            in: FrameRange(start: frames.end, count: min(end, runs[place].frames.end) - frames.end)
        )
        return min(left, (next.first?.frames.start ?? .max) - frames.end)
    }

    /// The first of `frames` before which everything ends that plays there; their end if there is none.
    private func cut(in frames: FrameRange) throws(PlanError) -> Int64 {
        var place = runs.partitionPoint { $0.frames.end >= frames.start }
        while place + 1 < runs.count, runs[place].frames.end < frames.end {
            guard try runs[place].isContinued(by: runs[place + 1], format.frameRate.frameDuration) else {
                return runs[place].frames.end
            }
            place += 1
        }
        return frames.end
    }

    private func slices(_ frames: FrameRange) throws(PlanError) -> [SliceInstruction] {
        var slices: [SliceInstruction] = []
        for run in runs[runs.partitionPoint { $0.frames.end > frames.start }...] {
            guard run.frames.start < frames.end else { break }
            try PlanError.step(1 + run.layers.count)
            let slice = try run.slice(frames, frameDuration: format.frameRate.frameDuration)
            slices.append(try slice.trimmed(frameDuration: format.frameRate.frameDuration))
        }
        return slices
    }

    /// Renumbers the sources of `instructions` in order of first use: two names of one content become one asset. Layers
    /// that do not change are not written to, so that they go on sharing the memory of the runs.
    private func numberAssets(in instructions: inout [SliceInstruction], _ numbering: inout AssetNumbering) {
        for index in instructions.indices {
            for place in instructions[index].layers.indices {
                guard let layer = numbered(instructions[index].layers[place], &numbering) else { continue }
                instructions[index].layers[place] = layer
            }
        }
    }

    /// - Returns: the layer with its assets renumbered; nil when it stays as it is.
    private func numbered(_ old: SliceLayer, _ numbering: inout AssetNumbering) -> SliceLayer? {
        if old.isPlain, let from = old.from {
            guard from.isNested != true else { return nil }
            let number = numbering.number(assets.digest(from.asset))
            guard number != from.asset else { return nil }
            var layer = old
            layer.from?.asset = number
            return layer
        }
        var layer = old
        if let from = layer.from, from.isNested != true {
            layer.from?.asset = numbering.number(assets.digest(from.asset))
        }
        if let to = layer.to, to.isNested != true {
            layer.to?.asset = numbering.number(assets.digest(to.asset))
        }
        if let map = layer.transition?.look?.map {
            layer.transition?.look?.map?.asset = numbering.number(assets.digest(map.asset))
        }
        numberFonts(in: &layer, &numbering)
        numberEffects(in: &layer, &numbering)
        return layer
    }

    private func numberEffects(in layer: inout SliceLayer, _ numbering: inout AssetNumbering) {
        layer.from?.appearance?.numberAssets { numbering.number(assets.digest($0)) }
        layer.from?.track?.numberAssets { numbering.number(assets.digest($0)) }
        layer.to?.appearance?.numberAssets { numbering.number(assets.digest($0)) }
        layer.to?.track?.numberAssets { numbering.number(assets.digest($0)) }
        guard var title = layer.title else { return }
        title.layers = title.layers.map { layer in
            layer.changed { $0.appearance?.numberAssets { numbering.number(assets.digest($0)) } }
        }
        layer.title = title
    }

    private func numberFonts(in layer: inout SliceLayer, _ numbering: inout AssetNumbering) {
        guard var title = layer.title else { return }
        title.layers = title.layers.map { layer in
            layer.changed { layer in layer.renumber { numbering.number(assets.digest($0)) } }
        }
        layer.title = title
    }
}

extension SliceLayer {
    /// Whether the layer is one source without an appearance: it names no asset but that source's.
    fileprivate var isPlain: Bool {
        to == nil && title == nil && transition == nil && from?.appearance == nil && from?.track == nil
    }
}

/// Numbers contents from 0 in order of first use.
struct AssetNumbering {
    private(set) var digests: [ContentDigest] = []
    private var numbers: [ContentDigest: Int] = [:]

    mutating func number(_ digest: ContentDigest) -> Int {
        if let known = numbers[digest] { return known }
        numbers[digest] = digests.count
        digests.append(digest)
        return digests.count - 1
    }
}
