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
    private var drawn: [Drawing: DrawnText?] = [:]

    /// - Parameter sources: in the order of `task.assets`; fonts are among them.
    init(task: PictureTask, sources: [RenderSource]) {
        size = task.size
        color = task.color
        digests = task.assets
        self.sources = sources
    }

    /// The layers of `title`, from the bottom up, as they are `time` after its start.
    func layers(_ title: SliceTitle, at time: RationalTime) throws -> [PaintedLayer] {
        try title.layers.compactMap { try layer($0, of: title.frame, at: time) }
    }

    /// Forgets what no title of `titles` shows.
    func keep(_ titles: [SliceTitle]) {
        let texts = Set(titles.flatMap(\.layers).map(\.text))
        guard blocks.keys.contains(where: { !texts.contains($0) }) || drawn.count > TitlePainter.mostDrawings else {
            return
        }
        blocks = blocks.filter { texts.contains($0.key) }
        drawn = drawn.filter { texts.contains($0.key.text) && drawn.count <= TitlePainter.mostDrawings }
    }

    /// Texts that are being typed are drawn anew for each letter.
    private static let mostDrawings = 64

    private func layer(_ layer: TitleLayer, of frame: PictureSize, at time: RationalTime) throws -> PaintedLayer? {
        let state = LayerState(layer.appearance ?? LayerAppearance(), at: time)
        let motion = MotionState(layer.motion, at: time)
        let opacity = motion.opacity(with: state.opacity)
        if opacity.isFirst || motion.typed == 0 { return nil }
        let block = try block(layer.text)
        let origin = block.origin(inWidth: frame.width, height: frame.height)
        let scale = Scale(
            x: Double(size.width) / Double(frame.width),
            y: Double(size.height) / Double(frame.height),
            detail: TitlePainter.detail(of: layer)
        )
        let shown = motion.typed.map { Int(($0 * Double(block.clusterCount)).rounded(.down)) }
        let drawing = Drawing(text: layer.text, scale: scale, shown: shown)
        guard let text = try picture(drawing, block, origin) else { return nil }
        let box = TitleRect(
            x: origin.x * scale.x,
            y: origin.y * scale.y,
            width: block.size.width * scale.x,
            height: block.size.height * scale.y
        )
        let place =
            state.projection(of: box, motion: motion, frame: size) * .scale(x: 1 / scale.detail, y: 1 / scale.detail)
            * .translation(x: Double(text.x), y: Double(text.y))
        return PaintedLayer(
            picture: text.picture,
            projection: place,
            crop: state.crop(of: box, x: text.x, y: text.y, detail: scale.detail),
            opacity: opacity,
            blend: state.blend.function
        )
    }

    /// How many times larger a text is drawn, so that it stays sharp where it is scaled up: 1, 2 or 4.
    private static func detail(of layer: TitleLayer) -> Double {
        let scales = (layer.appearance?.scale?.keys ?? []).flatMap(\.value).map(abs).max() ?? 1_000_000
        let zooms = (layer.motion?.zoom?.keys ?? []).flatMap(\.value).map(abs).max() ?? 1_000_000
        let most = Double(scales) / 1_000_000 * max(1, Double(zooms) / 1_000_000)
        return most <= 1 ? 1 : most <= 2 ? 2 : 4
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

    private func picture(
        _ drawing: Drawing,
        _ block: TextBlock,
        _ origin: (x: Double, y: Double)
    ) throws -> DrawnText? {
        if let known = drawn[drawing] { return known }
        let scale = drawing.scale
        let made = try block.picture(
            at: origin,
            scale: (scale.x * scale.detail, scale.y * scale.detail),
            shown: drawing.shown
        )
        let text = try made.map { DrawnText(x: $0.x, y: $0.y, picture: try planes($0)) }
        drawn[drawing] = .some(text)
        return text
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

/// All that a drawn text depends on.
private struct Drawing: Hashable {
    var text: TitleText
    var scale: Scale
    /// Clusters; nil is all.
    var shown: Int?
}

/// Pixels of the task for each of the edit, and of the drawn text for each of the task.
private struct Scale: Hashable {
    var x: Double
    var y: Double
    var detail: Double
}

private struct DrawnText {
    /// Left and top in the frame, in its own pixels.
    var x: Int
    var y: Int
    var picture: Picture
}

/// Where a title stands by itself, in pixels of the task.
struct TitleRect {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
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
