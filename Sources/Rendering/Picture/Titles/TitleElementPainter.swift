import CompositionModel
import Media
import Pixels
import Planning
import Timing
import Titles

/// Draws the elements of a task's titles. What was drawn is kept for the next frame.
final class TitleElementPainter {
    /// All that a drawn text or shape depends on.
    private struct Drawing: Hashable {
        enum Content: Hashable {
            case text(TitleText)
            case shape(TitleShape)
        }

        let content: Content
        let scale: TitleScale
        /// Pixels of the drawing for each pixel of the task.
        let detail: Double
        /// The number of clusters that have been typed; nil is all.
        let shown: Int?
    }

    private let size: PictureSize
    private let color: ColorDescription
    private let texts: TextLayouts
    private let images: TitleImages
    private let subtitles: SubtitlePainters
    private var drawn = FrameCache<(drawing: Drawing, picture: DrawnPicture?)>()

    /// - Parameters:
    ///   - sources: the assets of the task, in the order of `task.assets`; fonts are among them.
    ///   - pictures: where images are read.
    init(task: PictureTask, sources: [RenderSource], pictures: SourcePictures) {
        (size, color) = (task.size, task.color)
        texts = TextLayouts(task: task, sources: sources)
        images = TitleImages(task: task, pictures: pictures)
        subtitles = SubtitlePainters(task: task, sources: sources)
    }

    /// Forgets the texts that no title of `titles` shows.
    func keep(_ titles: [SliceTitle]) { texts.keep(titles) }

    /// Forgets what the frame that ends here has not used: a text that is being typed is drawn anew for each letter.
    func endFrame() {
        drawn.endFrame()
        images.endFrame()
    }

    /// What `layer`, which is no group, shows at `time`.
    /// - Returns: nil when there is nothing to see.
    /// - Throws: ``RenderError`` and `TitleError` of ``TextLayouts/block(_:)``; ``RenderError`` of a source;
    ///   ``MediaError``.
    func element(
        _ layer: TitleLayer,
        _ motion: MotionState,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> TitleElement? {
        if let text = layer.text { return try self.text(text, of: layer, motion, in: context) }
        if let shape = layer.shape { return try self.shape(shape, of: layer, in: context) }
        if let image = layer.image { return try self.image(image, in: context) }
        if let subtitles = layer.subtitles { return try self.subtitles(subtitles, in: context, at: time) }
        return nil
    }

    private func text(
        _ text: TitleText,
        of layer: TitleLayer,
        _ motion: MotionState,
        in context: TitleContext
    ) throws -> TitleElement? {
        let block = try texts.block(text)
        let origin = block.origin(inWidth: context.editSize.width, height: context.editSize.height)
        let (detail, scale) = layer.detail(in: context, isDrawable: block.isDrawable)
        let shown = motion.typed.map { Int(($0 * Double(block.clusterCount)).rounded(.down)) }
        let drawing = Drawing(content: .text(text), scale: context.scale, detail: detail, shown: shown)
        guard let drawn = try drawn(drawing, { try block.picture(at: origin, scale: scale, shown: shown) }) else {
            return nil
        }
        let (width, height) = block.size
        let box = TitleRect(x: origin.x, y: origin.y, width: width, height: height)
        return TitleElement(drawn: drawn, box: box.scaled(context.scale), detail: (detail, detail))
    }

    private func shape(_ shape: TitleShape, of layer: TitleLayer, in context: TitleContext) throws -> TitleElement? {
        let (width, height) = (Double(shape.width) / 1e6, Double(shape.height) / 1e6)
        let box = TitleRect(shape.box, width: width, height: height, frame: context.editSize)
        let (detail, scale) = layer.detail(in: context, isDrawable: shape.isDrawable)
        let drawing = Drawing(content: .shape(shape), scale: context.scale, detail: detail, shown: nil)
        guard let drawn = try drawn(drawing, { try shape.picture(at: (box.x, box.y), scale: scale) }) else {
            return nil
        }
        return TitleElement(drawn: drawn, box: box.scaled(context.scale), detail: (detail, detail))
    }

    /// The image keeps its own pixels: it is resampled once.
    private func image(_ image: TitleImage, in context: TitleContext) throws -> TitleElement? {
        let (width, height) = (Double(image.width) / 1e6, Double(image.height) / 1e6)
        guard width > 0, height > 0 else { return nil }
        let box = TitleRect(image.box, width: width, height: height, frame: context.editSize).scaled(context.scale)
        let picture = try images.picture(image.asset, stream: image.stream, in: context.frame)
        let detail = (x: Double(picture.width) / box.width, y: Double(picture.height) / box.height)
        return TitleElement(
            drawn: DrawnPicture(x: box.x * detail.x, y: box.y * detail.y, picture: picture),
            box: box,
            detail: detail
        )
    }

    /// Subtitles are drawn at the task's size: the frame is their box.
    private func subtitles(
        _ subtitles: TitleSubtitles,
        in context: TitleContext,
        at time: RationalTime
    ) throws -> TitleElement? {
        let drawn = try self.subtitles.drawn(subtitles, frame: context.editSize, at: time) { text in
            DrawnPicture(x: Double(text.x), y: Double(text.y), picture: try .drawn(text, in: color))
        }
        let box = TitleRect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        return drawn.map { TitleElement(drawn: $0, box: box, detail: (1, 1)) }
    }

    private func drawn(_ drawing: Drawing, _ draw: () throws -> TextPicture?) throws -> DrawnPicture? {
        if let known = drawn.first(where: { $0.drawing == drawing }) { return known.picture }
        let made = try draw().map { DrawnPicture(x: Double($0.x), y: Double($0.y), picture: try .drawn($0, in: color)) }
        drawn.insert((drawing, made), byteCount: made?.picture.byteCount ?? 0)
        return made
    }
}

extension TitleLayer {
    /// How many times larger a text or shape is drawn, so that it stays sharp where it is scaled up: 1, 2 or 4, and
    /// less where that would be too large.
    /// - Returns: that number, and the pixels that are drawn for each pixel of the edit.
    fileprivate func detail(
        in context: TitleContext,
        isDrawable: (_ scale: (x: Double, y: Double)) -> Bool
    ) -> (detail: Double, scale: (x: Double, y: Double)) {
        var detail = Double(min(max(self.detail ?? 1, 1), 4))
        while detail > 1, !isDrawable((context.scale.x * detail, context.scale.y * detail)) { detail /= 2 }
        return (detail, (context.scale.x * detail, context.scale.y * detail))
    }
}
