import CPango
package import CompositionModel

extension TitleShape {
    /// The shape drawn for a frame that is rendered at `scale` times the edit's size, its left and top at `origin` of
    /// the edit's frame.
    /// - Returns: nil when there is nothing to see.
    /// - Throws: ``TitleError/tooLarge(_:)``.
    package func picture(
        at origin: (x: Double, y: Double),
        scale: (x: Double, y: Double)
    ) throws(TitleError) -> TextPicture? {
        TextLock.enter()
        defer { TextLock.leave() }
        let (width, height) = (pixels(width), pixels(height))
        let left = (origin.x * scale.x).rounded(.down) - 1
        let top = (origin.y * scale.y).rounded(.down) - 1
        let (columns, rows) = (
            ((origin.x + width) * scale.x).rounded(.up) + 1 - left,
            ((origin.y + height) * scale.y).rounded(.up) + 1 - top
        )
        guard width > 0, height > 0 else { return nil }
        guard TextCanvas.allows(width: columns, height: rows) else {
            throw .tooLarge("A shape of \(Int(columns)) × \(Int(rows)) pixels is too large to be drawn.")
        }
        let whole = TextTile(x: Int(left), y: Int(top), width: Int(columns), height: Int(rows))
        return try whole.drawn(tile: TextTile.side, margin: 0) { (canvas, part) throws(TitleError) in
            draw(on: canvas, part, at: origin, scale: scale)
        }
    }

    /// Whether ``picture(at:scale:)`` can draw it so large.
    package func isDrawable(scale: (x: Double, y: Double)) -> Bool {
        TextCanvas.allows(width: pixels(width) * scale.x + 4, height: pixels(height) * scale.y + 4)
    }

    private func draw(
        on canvas: TextCanvas,
        _ part: TextTile,
        at origin: (x: Double, y: Double),
        scale: (x: Double, y: Double)
    ) {
        let (width, height) = (pixels(width), pixels(height))
        cairo_set_antialias(canvas.context, CAIRO_ANTIALIAS_BEST)
        cairo_translate(canvas.context, -Double(part.x), -Double(part.y))
        cairo_scale(canvas.context, scale.x, scale.y)
        cairo_translate(canvas.context, origin.x, origin.y)
        let value = UInt32(color.dropFirst(), radix: 16) ?? 0
        let parts = (0..<4).map { Double(value >> (24 - 8 * $0) & 255) / 255 }
        cairo_set_source_rgba(canvas.context, parts[0], parts[1], parts[2], parts[3])
        switch kind {
        case .rectangle: canvas.roundedRectangle(width: width, height: height, radius: pixels(radius))
        case .ellipse: canvas.ellipse(width: width, height: height)
        }
        cairo_fill(canvas.context)
    }
}

extension TextCanvas {
    /// The path of a rectangle at the origin.
    func roundedRectangle(width: Double, height: Double, radius: Double) {
        let radius = min(radius, width / 2, height / 2)
        guard radius > 0 else { return cairo_rectangle(context, 0, 0, width, height) }
        cairo_new_path(context)
        arc(around: (width - radius, radius), radii: (radius, radius), eighths: 6..<8)
        arc(around: (width - radius, height - radius), radii: (radius, radius), eighths: 0..<2)
        arc(around: (radius, height - radius), radii: (radius, radius), eighths: 2..<4)
        arc(around: (radius, radius), radii: (radius, radius), eighths: 4..<6)
        cairo_close_path(context)
    }

    /// The path of an ellipse whose box stands at the origin.
    func ellipse(width: Double, height: Double) {
        cairo_new_path(context)
        arc(around: (width / 2, height / 2), radii: (width / 2, height / 2), eighths: 0..<8)
        cairo_close_path(context)
    }

    /// Goes in a line to an ellipse and along it: from eighth to eighth of its circumference, the first beginning on
    /// the right and going down. Cairo's own arcs ask libm for sines.
    private func arc(around middle: (x: Double, y: Double), radii: (x: Double, y: Double), eighths: Range<Int>) {
        // 4/3 · tan(π/16): the control points of an eighth; it is 4 millionths of the radius off at the most.
        let control = 0.265_216_489_839_544
        func place(_ x: Double, _ y: Double) -> (Double, Double) { (middle.x + radii.x * x, middle.y + radii.y * y) }
        for eighth in eighths {
            let (start, end) = (TextCanvas.eighths[eighth], TextCanvas.eighths[(eighth + 1) % 8])
            let first = place(start.x, start.y)
            let second = place(start.x - control * start.y, start.y + control * start.x)
            let third = place(end.x + control * end.y, end.y - control * end.x)
            let last = place(end.x, end.y)
            if eighth == eighths.lowerBound { cairo_line_to(context, first.0, first.1) }
            cairo_curve_to(context, second.0, second.1, third.0, third.1, last.0, last.1)
        }
    }

    /// The Béziers of the unit circle.
    private static let eighths: [(x: Double, y: Double)] = {
        let half = 0.5.squareRoot()
        return [(1, 0), (half, half), (0, 1), (-half, half), (-1, 0), (-half, -half), (0, -1), (half, -half)]
    }()
}
