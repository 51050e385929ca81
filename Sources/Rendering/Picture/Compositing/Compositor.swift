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
    private let library: EffectLibrary
    /// Of tracks.
    private let effects: EffectPainter
    private var clipPainters: [Clip: ClipPainter] = [:]

    /// - Parameter sources: in the order of `task.assets`, as many.
    /// - Throws: ``RenderError`` `invalid_color`.
    public init(task: PictureTask, sources: [RenderSource]) throws(RenderError) {
        self.task = task
        frameDuration = task.frameRate.frameDuration
        self.sources = SourcePictures(
            task: task,
            sources: sources,
            nested: NestedSources(task: task, sources: sources)
        )
        stage = TransitionStage(size: task.size, color: task.color)
        painter = CanvasPainter(
            size: task.size,
            color: task.color,
            background: try BackgroundColor(task.background, in: task.color)
        )
        library = EffectLibrary(task: task, sources: sources, pictures: self.sources)
        effects = EffectPainter(color: task.color)
        titles = TitlePainter(
            task: task,
            sources: sources,
            images: TitleImages(task: task, pictures: self.sources),
            painter: painter,
            library: library
        )
    }

    /// The composited picture of segment-relative frame `frame`: yuv420p in the task's size and colour. A source's
    /// picture that fills the frame untouched is returned itself, without a copy.
    /// - Throws: ``RenderError`` `frame_not_covered` when no instruction covers `frame`, or of a source, which it
    ///   names; ``MediaError`` of what is drawn.
    public func picture(at frame: Int64) throws -> Picture {
        defer { endFrame() }
        let instruction = try instruction(at: frame)
        let layers = try instruction.layers.map {
            try FrameLayer($0, of: instruction.frames, frameDuration: frameDuration)
        }
        let clips = Set(layers.flatMap(\.clips).map(\.clip))
        clipPainters = clipPainters.filter { clips.contains($0.key) }
        stage.keep(Set(instruction.layers.compactMap(\.transition?.look)))
        let needed = Set(clips.map(\.playback)).union(layers.flatMap(\.clips).flatMap(\.masks.values))
            .union(try instruction.layers.flatMap(\.itemMasks).map { try Playback(mask: $0) })
        titles.keep(instruction.layers.compactMap(\.title))
        var canvas = Canvas.background
        for (layer, slice) in zip(layers, instruction.layers) {
            if let title = slice.title {
                canvas = try draw(title, at: frame, since: instruction.frames.start, over: canvas, needed: needed)
                continue
            }
            canvas = try draw(layer, at: frame, since: instruction.frames.start, over: canvas, needed: needed)
        }
        return try painter.picture(of: canvas)
    }

    /// What serves the next frame is what this one has used.
    private func endFrame() {
        painter.endFrame()
        effects.endFrame()
        titles.endFrame()
        library.endFrame()
        for painter in clipPainters.values { painter.endFrame() }
    }

    /// As ``SourcePictures/concealed``.
    var concealed: [Int: RationalTime] { sources.concealed }

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
        let moment = try layer.moment(atStep: frame - start)
        if let track = try layer.clips.first?.trackState(at: frame, frameDuration: frameDuration),
            track.needsWhole(in: moment)
        {
            return try draw(layer, moment, on: track, at: frame, over: canvas, needed: needed)
        }
        return try draw(layer, moment, Call(frame: frame, needed: needed), over: canvas)
    }

    /// What a track shows is put together first, then it is changed, cut and mixed as one picture.
    private func draw(
        _ layer: FrameLayer,
        _ moment: TransitionMoment?,
        on track: LayerState,
        at frame: Int64,
        over canvas: Canvas,
        needed: Set<Playback>
    ) throws -> Canvas {
        if track.opacity.isFirst { return canvas }
        let call = Call(frame: frame, needed: needed, isAlone: true)
        let shown: GroupPicture
        if moment?.isBetween ?? false {
            let picture = try stage.separate { try painter.picture(of: draw(layer, moment, call, over: .picture($0))) }
            shown = GroupPicture(picture: picture)
        } else {
            let clip = moment?.isSecond ?? false ? layer.to : layer.from
            guard let clip, let painted = try painted(clip, call) else { return canvas }
            shown = try painter.flatten([painted])
        }
        let time = try layer.clips.first?.trackTime(at: frame, frameDuration: frameDuration) ?? .zero
        let material = try library.material(
            of: track.effects,
            fit: .contain,
            itemTime: time,
            frame: frame,
            needed: needed
        )
        let whole = Placement(whole: task.size)
        let own = layer.clips.compactMap(\.blend).first
        var painted = PaintedLayer(
            picture: try effects.apply(track.effects, to: shown.picture, grain: (1, 1), material: material),
            projection: track.moves
                ? track.projection(of: whole, picture: task.size, frame: task.size) : .identity,
            crop: track.crop(of: whole, picture: task.size),
            opacity: track.opacity,
            blend: (own ?? track.blend).function
        )
        if track.effects.isEmpty { painted.chromaAlpha = shown.chromaAlpha }
        painted.shadows = try effects.shadows(of: painted, track.effects, grain: (1, 1))
        return try painter.draw(painted, over: canvas)
    }

    private func draw(
        _ layer: FrameLayer,
        _ moment: TransitionMoment?,
        _ call: Call,
        over canvas: Canvas
    ) throws -> Canvas {
        guard let moment, !moment.isFirst else { return try draw(layer.from, call, over: canvas) }
        if moment.isSecond { return try draw(layer.to, call, over: canvas) }
        let below = try painter.settled(canvas)
        if let look = moment.look, look.movesSamples, call.isAlone || !layer.clips.contains(where: \.isBlended),
            case .picture(let lower) = below
        {
            return .picture(
                try stage.paint(over: lower, look, progress: moment.progress) { isSecond, ground in
                    let clip = isSecond ? layer.to : layer.from
                    return try painter.picture(of: draw(clip, call, over: .picture(ground)))
                }
            )
        }
        let first = try draw(layer.from, call, over: below)
        let second = try draw(layer.to, call, over: below)
        guard let look = moment.look, !moment.isDissolve else {
            return try painter.blend(first, second, weight: moment.weight)
        }
        let (from, to) = try (painter.picture(of: first), painter.picture(of: second))
        return .picture(
            try stage.paint(from, to, look, progress: moment.progress) {
                try look.map.map { try self.map($0, at: call.frame, needed: call.needed) }
            }
        )
    }

    private func draw(
        _ title: SliceTitle,
        at frame: Int64,
        since start: Int64,
        over canvas: Canvas,
        needed: Set<Playback>
    ) throws -> Canvas {
        let way = try RationalTime(frame - start, of: frameDuration)
        let time = try (title.itemTime ?? .zero).adding(way)
        let layers = try titles.layers(title, at: time, frame: frame, needed: needed)
        return try layers.reduce(canvas) { try painter.draw($1, over: $0) }
    }

    private func draw(_ layer: LayerClip?, _ call: Call, over canvas: Canvas) throws -> Canvas {
        guard let layer else { return canvas }
        if let placed = try placed(layer, call) { return try painter.draw(placed, over: canvas) }
        guard let painted = try painted(layer, call) else { return canvas }
        return try painter.draw(painted, over: canvas)
    }

    /// The picture of a clip that nothing is done to.
    private func placed(_ layer: LayerClip, _ call: Call) throws -> PlacedPicture? {
        let track = call.isAlone ? nil : try layer.trackState(at: call.frame, frameDuration: frameDuration)
        if track != nil { return nil }
        if let state = try state(of: layer, call), state.moves || !state.isPlain { return nil }
        let picture = try picture(of: layer, call)
        let fitter = try clipPainter(for: layer.clip).fitter
        return fitter.isSeenThrough(picture) || fitter.isBeyondLimits ? nil : try fitter.place(picture)
    }

    /// - Returns: nil for what is not seen.
    private func painted(_ layer: LayerClip, _ call: Call) throws -> PaintedLayer? {
        let track = call.isAlone ? nil : try layer.trackState(at: call.frame, frameDuration: frameDuration)
        let state = try state(of: layer, call) ?? .plain
        if state.opacity.isFirst || track?.opacity.isFirst ?? false { return nil }
        let picture = try picture(of: layer, call)
        let painted = try clipPainter(for: layer.clip).layer(
            picture,
            in: state,
            frame: task.size,
            material: try material(of: layer, state, call)
        )
        return track.map { painted.on($0, frame: task.size) } ?? painted
    }

    private func state(of layer: LayerClip, _ call: Call) throws -> LayerState? {
        try layer.state(at: call.frame, frameDuration: frameDuration, isAlone: call.isAlone)
    }

    private func picture(of layer: LayerClip, _ call: Call) throws -> Picture {
        let time = try layer.clip.playback.time(at: call.frame, frameDuration: frameDuration)
        return try sources.picture(of: layer.clip.playback, at: time, frame: call.frame, needed: call.needed)
    }

    private func material(of layer: LayerClip, _ state: LayerState, _ call: Call) throws -> EffectMaterial {
        guard state.effects.contains(where: { $0.source != nil }) else { return EffectMaterial() }
        let time = try layer.clip.playback.time(at: call.frame, frameDuration: frameDuration)
        return try library.material(
            of: state.effects,
            fit: layer.clip.fit,
            itemTime: try layer.itemTime(at: call.frame, frameDuration: frameDuration),
            clip: ClipMoment(time: time, masks: layer.masks),
            frame: call.frame,
            needed: call.needed
        )
    }

    /// The first picture of a map, filled to the frame.
    private func map(_ map: TransitionMap, at frame: Int64, needed: Set<Playback>) throws -> Picture {
        let source = SliceSource(asset: map.asset, stream: map.stream, start: .zero, fit: .fill)
        let clip = try Clip(source, of: FrameRange(start: frame, count: 1), frameDuration: frameDuration)
        let picture = try sources.picture(of: clip.playback, at: .zero, frame: frame, needed: needed)
        return try clipPainter(for: clip).fitter.place(picture).picture
    }

    private func clipPainter(for clip: Clip) throws(RenderError) -> ClipPainter {
        if let known = clipPainters[clip] { return known }
        let facts = try sources.facts(of: clip.playback)
        let fitter = LayerFitter(stream: facts, fit: clip.fit, frame: task.size, color: task.color)
        let painter = ClipPainter(fitter: fitter, color: task.color)
        clipPainters[clip] = painter
        return painter
    }
}

/// A frame that is being made.
private struct Call {
    /// Of the segment.
    let frame: Int64
    /// All that is seen in it.
    let needed: Set<Playback>
    /// What a track shows is drawn without the track's appearance, as if nothing lay below.
    var isAlone = false
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
