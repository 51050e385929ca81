import CPango
public import Shared

extension TitleShape {
    /// The shape drawn for a frame that is rendered at `scale` times the edit's size, its left and top at `origin` of the
    /// edit's frame.
    /// - Returns: nil when there is nothing to see.
    /// - Throws: ``TitleError/tooLarge(_:)``.
    public func picture(
        at origin: (x: Double, y: Double),
        scale: (x: Double, y: Double)
    ) throws(TitleError) -> TextPicture? {
        let (width, height) = (pixels(width), pixels(height))
        let left = (origin.x * scale.x).rounded(.down) - 1
        let top = (origin.y * scale.y).rounded(.down) - 1
        let (columns, rows) = (
            ((origin.x + width) * scale.x).rounded(.up) + 1 - left,
            ((origin.y + height) * scale.y).rounded(.up) + 1 - top
        )
        guard width > 0, height > 0 else { return nil }
        guard columns <= 16_384, rows <= 16_384 else {
            throw .tooLarge("A shape of \(Int(columns)) × \(Int(rows)) pixels is too large to be drawn.")
        }
        let canvas = try TextCanvas(width: Int(columns), height: Int(rows))
        cairo_set_antialias(canvas.context, CAIRO_ANTIALIAS_BEST)
        cairo_translate(canvas.context, -left, -top)
        cairo_scale(canvas.context, scale.x, scale.y)
        cairo_translate(canvas.context, origin.x, origin.y)
        let value = UInt32(color.dropFirst(), radix: 16) ?? 0
        let parts = (0..<4).map { Double(value >> (24 - 8 * $0) & 255) / 255 }
        cairo_set_source_rgba(canvas.context, parts[0], parts[1], parts[2], parts[3])
        switch kind {
        case .rectangle: canvas.roundedRectangle(width: width, height: height, radius: pixels(radius))
        case .ellipse:
            cairo_save(canvas.context)
            cairo_scale(canvas.context, width / 2, height / 2)
            cairo_arc(canvas.context, 1, 1, 1, 0, 2 * Double.pi)
            cairo_restore(canvas.context)
        }
        cairo_fill(canvas.context)
        return canvas.picture(x: Int(left), y: Int(top))
    }
}

extension TextCanvas {
    /// The path of a rectangle at the origin.
    func roundedRectangle(width: Double, height: Double, radius: Double) {
        let radius = min(radius, width / 2, height / 2)
        guard radius > 0 else { return cairo_rectangle(context, 0, 0, width, height) }
        let quarter = Double.pi / 2
        cairo_new_path(context)
        cairo_arc(context, width - radius, radius, radius, -quarter, 0)
        cairo_arc(context, width - radius, height - radius, radius, 0, quarter)
        cairo_arc(context, radius, height - radius, radius, quarter, 2 * quarter)
        cairo_arc(context, radius, radius, radius, 2 * quarter, 3 * quarter)
        cairo_close_path(context)
    }
}
