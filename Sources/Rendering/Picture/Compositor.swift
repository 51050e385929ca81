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
    private let stage: TransitionStage
    private let titles: TitlePainter
    private var fitters: [Clip: LayerFitter] = [:]

    /// - Parameter sources: in the order of `task.assets`, as many.
    /// - Throws: ``RenderError`` `invalid_color`.
    public init(task: PictureTask, sources: [RenderSource]) throws(RenderError) {
        self.task = task
        frameDuration = task.frameRate.frameDuration
        self.sources = SourcePictures(sources: sources, assets: task.assets)
        stage = TransitionStage(size: task.size, color: task.color)
        titles = TitlePainter(task: task, sources: sources)
        painter = CanvasPainter(
            size: task.size,
            color: task.color,
            background: try BackgroundColor(task.background, in: task.color)
        )
    }

    /// The composited picture of segment-relative frame `frame`: yuv420p in the task's size and colour. A source's
    /// picture that fills the frame untouched is returned itself, without a copy.
    /// - Throws: ``RenderError`` `frame_not_covered` when no instruction covers `frame`, or of a source, which it names;
    ///   ``MediaError`` of what is drawn.
    public func picture(at frame: Int64) throws -> Picture {
        let instruction = try instruction(at: frame)
        let layers = try instruction.layers.map {
            try FrameLayer($0, of: instruction.frames, frameDuration: frameDuration)
        }
        let clips = Set(layers.flatMap(\.clips).map(\.clip))
        fitters = fitters.filter { clips.contains($0.key) }
        stage.keep(Set(instruction.layers.compactMap(\.transition?.look)))
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

    /// What is wrong with the pictures that were made so far, although they could be made: once for each asset.
    public var warnings: [Failure] {
        sources.concealed.sorted { $0.key < $1.key }.map { asset, time in
            Failure(
                code: "picture_concealed",
                message: "its picture is damaged at \(TimeWords.seconds(time)); what is seen there is a guess.",
                isPermanent: true,
                asset: task.assets[asset]
            )
        }
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
        guard let moment = try layer.moment(atStep: frame - start), !moment.isFirst else {
            return try draw(layer.from, at: frame, over: canvas, needed: needed)
        }
        if moment.isSecond { return try draw(layer.to, at: frame, over: canvas, needed: needed) }
        let below = try painter.settled(canvas)
        if let look = moment.look, look.movesSamples, !layer.clips.contains(where: \.isBlended),
            case .picture(let lower) = below
        {
            return .picture(
                try stage.paint(over: lower, look, progress: moment.progress) { isSecond, ground in
                    let clip = isSecond ? layer.to : layer.from
                    return try painter.picture(of: draw(clip, at: frame, over: .picture(ground), needed: needed))
                }
            )
        }
        let first = try draw(layer.from, at: frame, over: below, needed: needed)
        let second = try draw(layer.to, at: frame, over: below, needed: needed)
        guard let look = moment.look, !moment.isDissolve else {
            return try painter.blend(first, second, weight: moment.weight)
        }
        let (from, to) = try (painter.picture(of: first), painter.picture(of: second))
        return .picture(
            try stage.paint(from, to, look, progress: moment.progress) {
                try look.map.map { try self.map($0, at: frame, needed: needed) }
            }
        )
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
            guard picture.pixelFormat.hasAlpha else { return try painter.draw(fitter.place(picture), over: canvas) }
            return try painter.draw(fitter.layer(picture), over: canvas)
        }
        let painted = try fitter.layer(picture, in: state, frame: task.size)
        return try painter.draw(track.map { painted.on($0, frame: task.size) } ?? painted, over: canvas)
    }

    /// The first picture of a map, filled to the frame.
    private func map(_ map: TransitionMap, at frame: Int64, needed: Set<Playback>) throws -> Picture {
        let source = SliceSource(asset: map.asset, stream: map.stream, start: .zero, fit: .fill)
        let clip = try Clip(source, of: FrameRange(start: frame, count: 1), frameDuration: frameDuration)
        let picture = try sources.picture(of: clip.playback, at: .zero, frame: frame, needed: needed)
        return try fitter(for: clip).place(picture).picture
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
    private let transition: TransitionRamp?

    init(_ layer: SliceLayer, of frames: FrameRange, frameDuration: RationalTime) throws(TimeError) {
        from = try layer.from.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        to = try layer.to.map { source throws(TimeError) in
            try LayerClip(source, of: frames, frameDuration: frameDuration)
        }
        transition = layer.transition
    }

    var clips: [LayerClip] { [from, to].compactMap { $0 } }

    /// The transition `step` frames into the instruction.
    /// - Throws: ``RenderError`` `invalid_task` for a step beside the transition.
    func moment(atStep step: Int64) throws(RenderError) -> TransitionMoment? {
        guard let transition else { return nil }
        return try TransitionMoment(transition, atStep: step)
    }
}
