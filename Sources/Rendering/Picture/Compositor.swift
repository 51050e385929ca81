public import Media
import Pixels
public import Shared

/// Makes the frames of one picture task: each is a function of the task, the sources and the frame's number, whatever
/// was asked before. Asking in order is fast.
public final class Compositor {
    private let task: PictureTask
    private let frameDuration: RationalTime
    private let sources: SourcePictures
    private let painter: CanvasPainter
    private let titles: TitlePainter
    private var fitters: [Clip: LayerFitter] = [:]

    /// - Parameter sources: in the order of `task.assets`.
    /// - Throws: ``RenderError`` `invalid_color`.
    public init(task: PictureTask, sources: [RenderSource]) throws(RenderError) {
        self.task = task
        frameDuration = task.frameRate.frameDuration
        self.sources = SourcePictures(sources: sources)
        titles = TitlePainter(task: task, sources: sources)
        painter = CanvasPainter(
            size: task.size,
            color: task.color,
            background: try BackgroundColor(task.background, in: task.color)
        )
    }

    /// The composited picture of segment-relative frame `frame`: yuv420p in the task's size and colour. A source's
    /// picture that fills the frame untouched is returned itself, without a copy.
    /// - Throws: ``RenderError`` `frame_not_covered` when no instruction covers `frame`; ``MediaError`` of the sources.
    public func picture(at frame: Int64) throws -> Picture {
        let instruction = try instruction(at: frame)
        let layers = try instruction.layers.map {
            try FrameLayer($0, of: instruction.frames, frameDuration: frameDuration)
        }
        let clips = Set(layers.flatMap(\.clips).map(\.clip))
        fitters = fitters.filter { clips.contains($0.key) }
        let needed = Set(clips.map(\.playback))
        titles.keep(instruction.layers.compactMap(\.title))
        var canvas = Canvas.background
        for (layer, slice) in zip(layers, instruction.layers) {
            if let title = slice.title {
                canvas = try draw(title, at: frame, since: instruction.frames.start, over: canvas)
                continue
            }
            canvas = try draw(layer, at: frame, since: instruction.frames.start, over: canvas, needed: needed)
        }
        return try painter.picture(of: canvas)
    }

    private func instruction(at frame: Int64) throws(RenderError) -> SliceInstruction {
        guard let found = task.instructions.first(where: { $0.frames.contains(frame) }) else {
            throw RenderError(
                "frame_not_covered",
                "No instruction covers frame \(frame) of the segment.",
                isPermanent: true
            )
        }
        return found
    }

    private func draw(
        _ layer: FrameLayer,
        at frame: Int64,
        since start: Int64,
        over canvas: Canvas,
        needed: Set<Playback>
    ) throws -> Canvas {
        let weight = try layer.weight(atStep: frame - start)
        if weight.isFirst { return try draw(layer.from, at: frame, over: canvas, needed: needed) }
        if weight.isSecond { return try draw(layer.to, at: frame, over: canvas, needed: needed) }
        let below = try painter.settled(canvas)
        let first = try draw(layer.from, at: frame, over: below, needed: needed)
        let second = try draw(layer.to, at: frame, over: below, needed: needed)
        return try painter.blend(first, second, weight: weight)
    }

    private func draw(
        _ title: SliceTitle,
        at frame: Int64,
        since start: Int64,
        over canvas: Canvas
    ) throws -> Canvas {
        let way = try RationalTime(frame - start, of: frameDuration)
        let time = try (title.itemTime ?? .zero).adding(way)
        return try titles.layers(title, at: time).reduce(canvas) { try painter.draw($1, over: $0) }
    }

    private func draw(
        _ layer: LayerClip?,
        at frame: Int64,
        over canvas: Canvas,
        needed: Set<Playback>
    ) throws -> Canvas {
        guard let layer else { return canvas }
        let track = try layer.trackState(at: frame, frameDuration: frameDuration)
        let state = try layer.state(at: frame, frameDuration: frameDuration) ?? track.map { _ in .plain }
        if state?.opacity.isFirst ?? false || track?.opacity.isFirst ?? false { return canvas }
        let clip = layer.clip
        let time = try clip.playback.time(at: frame, frameDuration: frameDuration)
        let picture = try sources.picture(of: clip.playback, at: time, frame: frame, needed: needed)
        let fitter = try fitter(for: clip)
        guard let state, state.moves || !state.isPlain || track != nil else {
            return try painter.draw(fitter.place(picture), over: canvas)
        }
        let painted = try fitter.layer(picture, in: state, frame: task.size)
        return try painter.draw(track.map { painted.on($0, frame: task.size) } ?? painted, over: canvas)
    }

    private func fitter(for clip: Clip) throws(RenderError) -> LayerFitter {
        if let known = fitters[clip] { return known }
        let facts = try sources.facts(of: clip.playback)
        let fitter = LayerFitter(stream: facts, fit: clip.fit, frame: task.size, color: task.color)
        fitters[clip] = fitter
        return fitter
    }
}

/// A layer of an instruction with the clips it shows.
private struct FrameLayer {
    let from: LayerClip?
    let to: LayerClip?
    private let dissolve: DissolveRamp?

    init(_ layer: SliceLayer, of frames: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        from = try layer.from.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        to = try layer.to.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        dissolve = layer.dissolve
    }

    var clips: [LayerClip] { [from, to].compactMap { $0 } }

    /// How much of `to` is seen `step` frames into the instruction.
    /// - Throws: ``RenderError`` `invalid_task` for a step beside the transition.
    func weight(atStep step: Int64) throws(RenderError) -> BlendWeight {
        guard let dissolve else { return BlendWeight(value: 0) }
        let steps = dissolve.steps
        guard (1..<1 << 40).contains(steps), (0...steps).contains(dissolve.firstStep),
            dissolve.firstStep + step <= steps
        else {
            throw RenderError("invalid_task", "A dissolve of \(steps) frames has no frame \(step).", isPermanent: true)
        }
        return BlendWeight(step: dissolve.firstStep + step, steps: steps)
    }
}
