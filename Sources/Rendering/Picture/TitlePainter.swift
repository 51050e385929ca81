import Media
import Pixels
import Shared
import Titles

/// Draws the titles of a task. Layouts and drawn texts are kept while they are seen.
final class TitlePainter {
    private let size: PictureSize
    private let color: ColorDescription
    private let sources: [RenderSource]
    private let digests: [ContentDigest]
    private var fonts: [Int: FontFile] = [:]
    private var blocks: [TitleText: TextBlock] = [:]
    private var drawn = FrameCache<(drawing: Drawing, picture: DrawnPicture?)>()
    private var paddings = FrameCache<Padding>()
    private let images: TitleImages
    private let painter: CanvasPainter
    private let library: EffectLibrary
    private let effects: EffectPainter
    private let cues: SubtitlePainters

    /// - Parameter sources: in the order of `task.assets`; fonts are among them.
    init(
        task: PictureTask,
        sources: [RenderSource],
        images: TitleImages,
        painter: CanvasPainter,
        library: EffectLibrary
    ) {
        size = task.size
        color = task.color
        digests = task.assets
        self.sources = sources
        (self.images, self.painter, self.library) = (images, painter, library)
        effects = EffectPainter(color: task.color)
        cues = SubtitlePainters(task: task, sources: sources)
    }

    /// What `title` shows `time` after its start, from the bottom up.
    /// - Parameters:
    ///   - frame: number of the frame that is made.
    ///   - needed: all clips that are seen in it.
    func layers(
        _ title: SliceTitle,
        at time: RationalTime,
        frame: Int64,
        needed: Set<Playback>
    ) throws -> [PaintedLayer] {
        let scale = Scale(
            x: Double(size.width) / Double(title.frame.width),
            y: Double(size.height) / Double(title.frame.height)
        )
        let whole = Surroundings(
            frame: title.frame,
            scale: scale,
            place: .identity,
            opacity: BlendWeight(value: 65536),
            number: frame,
            needed: needed
        )
        return try title.layers.flatMap { try layers($0, in: whole, at: time) }
    }

    /// Forgets what no title of `titles` shows.
    func keep(_ titles: [SliceTitle]) {
        let texts = Set(titles.flatMap(\.layers).flatMap(\.texts))
        guard blocks.keys.contains(where: { !texts.contains($0) }) else { return }
        blocks = blocks.filter { texts.contains($0.key) }
    }

    /// Forgets what was not seen since the last call: a text that is being typed is drawn anew for each letter.
    func endFrame() {
        drawn.endFrame()
        paddings.endFrame()
        effects.endFrame()
        images.endFrame()
    }

    /// - Parameter time: of what encloses the layer.
    private func layers(_ layer: TitleLayer, in around: Surroundings, at time: RationalTime) throws -> [PaintedLayer] {
        let time = try layer.timing?.time(at: time) ?? time
        let state = LayerState(layer.appearance ?? LayerAppearance(), at: time)
        let motion = MotionState(layer.motion, at: time)
        let opacity = motion.opacity(with: state.opacity).through(around.opacity)
        if opacity.isFirst { return [] }
        guard let group = layer.group else {
            return try figure(layer, motion, around, at: time).map { figure in
                [try painted(figure, state, motion, around, opacity, at: time)]
            } ?? []
        }
        let frame = TitleRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let own = around.place * state.projection(of: frame, motion: motion, frame: size)
        if state.changesPicture { return try [whole(group, state, own, around, opacity, at: time)].compactMap(\.self) }
        var inside = around
        (inside.place, inside.opacity) = (own, opacity)
        let isMixed = !opacity.isSecond || state.blend != .normal
        if isMixed { inside.opacity = BlendWeight(value: 65536) }
        let layers = try group.flatMap { try self.layers($0, in: inside, at: time) }
        guard isMixed, !layers.isEmpty else { return layers }
        // What lies on each other in a group is put together first, so that nothing shines through it.
        if layers.count == 1, layers[0].blend == .normal {
            return [layers[0].mixed(opacity, state.blend.function)]
        }
        return [painter.whole(try painter.flatten(layers), opacity: opacity, blend: state.blend.function)]
    }

    /// A group that is cut or changed: it is drawn in the frame by itself, and then placed.
    private func whole(
        _ group: [TitleLayer],
        _ state: LayerState,
        _ place: Projection,
        _ around: Surroundings,
        _ opacity: BlendWeight,
        at time: RationalTime
    ) throws -> PaintedLayer? {
        var inside = around
        (inside.place, inside.opacity) = (.identity, BlendWeight(value: 65536))
        let layers = try group.flatMap { try self.layers($0, in: inside, at: time) }
        if layers.isEmpty { return nil }
        let shown = try painter.flatten(layers)
        let material = try material(of: state, around, at: time)
        var painted = PaintedLayer(
            picture: try effects.apply(state.effects, to: shown.picture, grain: (1, 1), material: material),
            projection: place,
            crop: state.crop(of: Placement(whole: size), picture: size),
            opacity: opacity,
            blend: state.blend.function
        )
        if state.effects.isEmpty { painted.chromaAlpha = shown.chromaAlpha }
        painted.shadows = try effects.shadows(of: painted, state.effects, grain: (1, 1))
        return painted
    }

    private func material(
        of state: LayerState,
        _ around: Surroundings,
        at time: RationalTime
    ) throws -> EffectMaterial {
        try library.material(
            of: state.effects,
            fit: .contain,
            itemTime: time,
            frame: around.number,
            needed: around.needed
        )
    }

    private func painted(
        _ figure: Figure,
        _ state: LayerState,
        _ motion: MotionState,
        _ around: Surroundings,
        _ opacity: BlendWeight,
        at time: RationalTime
    ) throws -> PaintedLayer {
        let (box, detail) = (figure.box, figure.detail)
        let drawn = try changed(figure, state, around, at: time)
        let own =
            state.projection(of: box, motion: motion, frame: size) * .scale(x: 1 / detail.x, y: 1 / detail.y)
            * .translation(x: drawn.x, y: drawn.y)
        var painted = PaintedLayer(
            picture: drawn.picture,
            projection: around.place * own,
            crop: state.crop(of: box, x: drawn.x, y: drawn.y, detail: detail),
            opacity: opacity,
            blend: state.blend.function
        )
        painted.shadows = try effects.shadows(of: painted, state.effects, grain: detail)
        return painted
    }

    /// After its effects, with room for what they blur.
    private func changed(
        _ figure: Figure,
        _ state: LayerState,
        _ around: Surroundings,
        at time: RationalTime
    ) throws -> DrawnPicture {
        guard !state.effects.isEmpty else { return figure.drawn }
        let detail = figure.detail
        let reach = state.effects.filter { $0.name == .blur }.reduce(0) { $0 + 3 * $1[.radius] }
        let margin = (x: TitlePainter.margin(reach * detail.x), y: TitlePainter.margin(reach * detail.y))
        let drawn = try padded(figure.drawn, margin)
        let picture = try effects.apply(
            state.effects,
            to: drawn.picture,
            grain: detail,
            origin: (drawn.x / detail.x, drawn.y / detail.y),
            material: try material(of: state, around, at: time)
        )
        return DrawnPicture(x: drawn.x, y: drawn.y, picture: picture)
    }

    /// Even, so that chroma falls on chroma.
    private static func margin(_ reach: Double) -> Int { Int(min(reach, 2000).rounded(.up) / 2) * 2 }

    /// With transparent pixels on all sides.
    private func padded(_ drawn: DrawnPicture, _ margin: (x: Int, y: Int)) throws -> DrawnPicture {
        guard margin.x > 0 || margin.y > 0 else { return drawn }
        let known = paddings.first {
            $0.source === drawn.picture && $0.margin == margin
        }
        if let known { return known.padded }
        let picture = try drawn.picture.padded(x: margin.x, y: margin.y)
        let padded = DrawnPicture(x: drawn.x - Double(margin.x), y: drawn.y - Double(margin.y), picture: picture)
        paddings.insert(Padding(source: drawn.picture, margin: margin, padded: padded), byteCount: picture.byteCount)
        return padded
    }

    /// - Returns: nil when there is nothing to see.
    private func figure(
        _ layer: TitleLayer,
        _ motion: MotionState,
        _ around: Surroundings,
        at time: RationalTime
    ) throws -> Figure? {
        if let text = layer.text { return try self.text(text, of: layer, motion, around) }
        if let shape = layer.shape { return try self.shape(shape, of: layer, around) }
        if let image = layer.image { return try self.image(image, around) }
        if let subtitles = layer.subtitles { return try self.subtitles(subtitles, around, at: time) }
        return nil
    }

    private func text(
        _ text: TitleText,
        of layer: TitleLayer,
        _ motion: MotionState,
        _ around: Surroundings
    ) throws -> Figure? {
        let block = try block(text)
        let origin = block.origin(inWidth: around.frame.width, height: around.frame.height)
        let detail = TitlePainter.detail(of: layer, in: around, isDrawable: block.isDrawable)
        let shown = motion.typed.map { Int(($0 * Double(block.clusterCount)).rounded(.down)) }
        let drawing = Drawing(content: .text(text), scale: around.scale, detail: detail, shown: shown)
        let scale = (x: around.scale.x * detail, y: around.scale.y * detail)
        guard let drawn = try drawn(drawing, { try block.picture(at: origin, scale: scale, shown: shown) }) else {
            return nil
        }
        let (width, height) = block.size
        let box = TitleRect(x: origin.x, y: origin.y, width: width, height: height)
        return Figure(drawn: drawn, box: box.scaled(around.scale), detail: (detail, detail))
    }

    private func shape(_ shape: TitleShape, of layer: TitleLayer, _ around: Surroundings) throws -> Figure? {
        let (width, height) = (Double(shape.width) / 1e6, Double(shape.height) / 1e6)
        let box = TitleRect(shape.box, width: width, height: height, frame: around.frame)
        let detail = TitlePainter.detail(of: layer, in: around, isDrawable: shape.isDrawable)
        let scale = (x: around.scale.x * detail, y: around.scale.y * detail)
        let drawing = Drawing(content: .shape(shape), scale: around.scale, detail: detail, shown: nil)
        guard let drawn = try drawn(drawing, { try shape.picture(at: (box.x, box.y), scale: scale) }) else {
            return nil
        }
        return Figure(drawn: drawn, box: box.scaled(around.scale), detail: (detail, detail))
    }

    /// The image keeps its own pixels: it is resampled once.
    private func image(_ image: TitleImage, _ around: Surroundings) throws -> Figure? {
        let (width, height) = (Double(image.width) / 1e6, Double(image.height) / 1e6)
        guard width > 0, height > 0 else { return nil }
        let box = TitleRect(image.box, width: width, height: height, frame: around.frame).scaled(around.scale)
        let picture = try images.picture(
            image.asset,
            stream: image.stream,
            frame: around.number,
            needed: around.needed
        )
        let detail = (x: Double(picture.width) / box.width, y: Double(picture.height) / box.height)
        return Figure(
            drawn: DrawnPicture(x: box.x * detail.x, y: box.y * detail.y, picture: picture),
            box: box,
            detail: detail
        )
    }

    /// Drawn at the task's size: the frame is its box.
    private func subtitles(
        _ subtitles: TitleSubtitles,
        _ around: Surroundings,
        at time: RationalTime
    ) throws -> Figure? {
        let drawn = try cues.drawn(subtitles, frame: around.frame, at: time) { text in
            DrawnPicture(x: Double(text.x), y: Double(text.y), picture: try planes(text))
        }
        let box = TitleRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        return drawn.map { Figure(drawn: $0, box: box, detail: (1, 1)) }
    }

    /// How many times larger a text or shape is drawn, so that it stays sharp where it is scaled up: 1, 2 or 4, and
    /// less where that would be too large.
    private static func detail(
        of layer: TitleLayer,
        in around: Surroundings,
        isDrawable: (_ scale: (x: Double, y: Double)) -> Bool
    ) -> Double {
        var detail = Double(min(max(layer.detail ?? 1, 1), 4))
        while detail > 1, !isDrawable((around.scale.x * detail, around.scale.y * detail)) { detail /= 2 }
        return detail
    }

    private func block(_ text: TitleText) throws -> TextBlock {
        if let known = blocks[text] { return known }
        let faces = try text.faces.map { (file: try font($0.asset), index: $0.index) }
        let block = try TextBlock(text, faces: faces)
        guard block.unknownGlyphCount == 0 else {
            throw RenderError(
                "glyph_missing",
                "\(block.unknownGlyphCount) characters of “\(text.text.prefix(40))” are in none of its fonts.",
                isPermanent: true
            )
        }
        blocks[text] = block
        return block
    }

    private func font(_ asset: Int) throws -> FontFile {
        if let known = fonts[asset] { return known }
        guard sources.indices.contains(asset) else {
            throw RenderError("invalid_task", "There is no asset \(asset) for a font.", isPermanent: true)
        }
        let file = try FontSource.file(sources[asset].bytes, digest: digests[asset])
        fonts[asset] = file
        return file
    }

    private func drawn(_ drawing: Drawing, _ draw: () throws -> TextPicture?) throws -> DrawnPicture? {
        if let known = drawn.first(where: { $0.drawing == drawing }) { return known.picture }
        let made = try draw().map { DrawnPicture(x: Double($0.x), y: Double($0.y), picture: try planes($0)) }
        drawn.insert((drawing, made), byteCount: made?.picture.byteCount ?? 0)
        return made
    }

    /// In the task's colour, with alpha.
    private func planes(_ text: TextPicture) throws -> Picture {
        guard let format = PixelFormat(name: "yuva444p"), let parts = BackgroundColor.constants[color.matrix] else {
            throw RenderError("invalid_color", "A title in “\(color.matrix)” is not supported.", isPermanent: true)
        }
        let target = try MutablePicture(width: text.width, height: text.height, pixelFormat: format, color: color)
        let conversion = DrawnPixels(red: parts.red, blue: parts.blue, isFullRange: color.isFullRange)
        text.pixels.withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return }
            target.withMutablePlane(0) { luma in
                target.withMutablePlane(1) { blue in
                    target.withMutablePlane(2) { red in
                        target.withMutablePlane(3) { alpha in
                            conversion.convert(
                                first,
                                luma: luma.plane,
                                blueDifference: blue.plane,
                                redDifference: red.plane,
                                alpha: alpha.plane
                            )
                        }
                    }
                }
            }
        }
        return try target.freeze()
    }
}

/// All that a drawn text or shape depends on.
private struct Drawing: Hashable {
    enum Content: Hashable {
        case text(TitleText)
        case shape(TitleShape)
    }

    var content: Content
    var scale: Scale
    /// Pixels of it for each of the task.
    var detail: Double
    /// Clusters; nil is all.
    var shown: Int?
}

/// Pixels of the task for each of the edit.
private struct Scale: Hashable {
    var x: Double
    var y: Double
}

/// What a layer is drawn in.
private struct Surroundings {
    /// Of the edit.
    var frame: PictureSize
    var scale: Scale
    /// Frame ← group, in pixels of the task.
    var place: Projection
    var opacity: BlendWeight
    /// Of the frame that is made.
    var number: Int64
    /// Clips that are seen in it.
    var needed: Set<Playback>
}

/// A drawn picture with transparent pixels around it.
private struct Padding {
    var source: Picture
    var margin: (x: Int, y: Int)
    var padded: DrawnPicture
}

struct DrawnPicture {
    /// Left and top in the frame, in its own pixels.
    var x: Double
    var y: Double
    var picture: Picture
}

/// A picture with the box that it is turned about, in pixels of the task.
private struct Figure {
    var drawn: DrawnPicture
    var box: TitleRect
    /// Pixels of the picture for each of the task.
    var detail: (x: Double, y: Double)
}

/// Where a title stands by itself, in pixels of the task.
struct TitleRect {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Where `box` puts a figure of `width` × `height` in a frame.
    init(_ box: TitleBox, width: Double, height: Double, frame: PictureSize) {
        let (across, down) = box.anchor.halves
        let (marginX, marginY) = (Double(box.marginX) / 1e6, Double(box.marginY) / 1e6)
        self.init(
            x: marginX + (Double(frame.width) - 2 * marginX - width) * Double(across) / 2,
            y: marginY + (Double(frame.height) - 2 * marginY - height) * Double(down) / 2,
            width: width,
            height: height
        )
    }

    fileprivate func scaled(_ scale: Scale) -> TitleRect {
        TitleRect(x: x * scale.x, y: y * scale.y, width: width * scale.x, height: height * scale.y)
    }
}

/// What a title's motion says at one time. Lengths are pixels of the task.
struct MotionState {
    /// 0…1.
    private let part: Double
    let offset: (x: Double, y: Double)
    let zoom: Double
    /// 0…1; nil shows the whole text.
    let typed: Double?

    init(_ motion: TitleMotion?, at time: RationalTime) {
        part = max(0, min(1, motion?.opacity?.value(at: time).first ?? 1))
        let way = motion?.offset?.value(at: time) ?? []
        offset = way.count == 2 ? (way[0], way[1]) : (0, 0)
        zoom = motion?.zoom?.value(at: time).first ?? 1
        let typed = motion?.typed?.value(at: time).first.map { max(0, min(1, $0)) }
        self.typed = typed == 1 ? nil : typed
    }

    /// Both opacities, one through the other.
    func opacity(with other: BlendWeight) -> BlendWeight {
        BlendWeight(value: UInt32((part * Double(other.value)).rounded()))
    }
}
