import CPango
import CompositionModel

extension TextBlock {
    /// The text drawn for a frame that is rendered at `scale` times the edit's size, the block's left and top at
    /// `origin` of the edit's frame.
    /// - Parameter shown: clusters from the text's beginning that are drawn; nil draws all.
    /// - Returns: nil when there is nothing to see.
    /// - Throws: ``TitleError/tooLarge(_:)``.
    package func picture(
        at origin: (x: Double, y: Double),
        scale: (x: Double, y: Double),
        shown: Int? = nil
    ) throws(TitleError) -> TextPicture? {
        try picture(at: origin, scale: scale, shown: shown, tile: TextTile.side)
    }

    /// - Parameter tile: the longest side that is drawn at once, which changes nothing that is seen.
    func picture(
        at origin: (x: Double, y: Double),
        scale: (x: Double, y: Double),
        shown: Int?,
        tile: Int
    ) throws(TitleError) -> TextPicture? {
        TextLock.enter()
        defer { TextLock.leave() }
        let reach = reach
        let left = ((origin.x + reach.left) * scale.x).rounded(.down)
        let top = ((origin.y + reach.top) * scale.y).rounded(.down)
        let right = ((origin.x + reach.right) * scale.x).rounded(.up)
        let bottom = ((origin.y + reach.bottom) * scale.y).rounded(.up)
        guard right > left, bottom > top else { return nil }
        let far = Double(TextCanvas.longestSide)
        guard TextCanvas.allows(width: right - left, height: bottom - top), abs(left) <= far, abs(top) <= far else {
            let words = text.text.prefix(40)
            let size = "\(Int(min(right - left, 1e9))) × \(Int(min(bottom - top, 1e9))) pixels"
            throw .tooLarge("The text “\(words)” would be \(size), too large to be drawn; make its \"size\" smaller.")
        }
        let whole = TextTile(x: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
        return try whole.drawn(tile: tile, margin: softness(scale)) { (canvas, part) throws(TitleError) in
            cairo_translate(canvas.context, -Double(part.x), -Double(part.y))
            cairo_scale(canvas.context, scale.x, scale.y)
            cairo_translate(canvas.context, origin.x, origin.y)
            try draw(on: canvas, scale: scale, shown: shown)
        }
    }

    /// Whether ``picture(at:scale:shown:)`` can draw it so large.
    package func isDrawable(scale: (x: Double, y: Double)) -> Bool {
        TextLock.enter()
        defer { TextLock.leave() }
        let reach = reach
        let (width, height) = ((reach.right - reach.left) * scale.x + 2, (reach.bottom - reach.top) * scale.y + 2)
        return TextCanvas.allows(width: width, height: height)
    }

    /// How far a pixel's neighbours reach into it, in pixels of the picture.
    private func softness(_ scale: (x: Double, y: Double)) -> Int {
        text.shadow.map { Int((3 * pixels($0.blur) * max(scale.x, scale.y)).rounded(.up)) + 8 } ?? 0
    }

    /// What may be drawn on, from the block's left and top: ink, background and shadow, with a pixel to spare.
    private var reach: (left: Double, top: Double, right: Double, bottom: Double) {
        var ink = PangoRectangle()
        pango_layout_get_extents(layout, &ink, nil)
        let unit = Double(PANGO_SCALE)
        let outline = (text.outline.map { pixels($0.width) } ?? 0) + 2
        let left = padding.x + Double(ink.x) / unit - outline
        let top = padding.y + Double(ink.y) / unit - outline
        let right = left + Double(ink.width) / unit + 2 * outline
        let bottom = top + Double(ink.height) / unit + 2 * outline
        let (width, height) = size
        var reach = (left: min(left, 0), top: min(top, 0), right: max(right, width), bottom: max(bottom, height))
        if let shadow = text.shadow {
            let (x, y, soft) = (pixels(shadow.x), pixels(shadow.y), 3 * pixels(shadow.blur) + 2)
            reach.left = min(reach.left, left + x - soft)
            reach.top = min(reach.top, top + y - soft)
            reach.right = max(reach.right, right + x + soft)
            reach.bottom = max(reach.bottom, bottom + y + soft)
        }
        return reach
    }

    /// Background, shadow, outline, letters.
    private func draw(on canvas: TextCanvas, scale: (x: Double, y: Double), shown: Int?) throws(TitleError) {
        if let background = text.box.background { drawBackground(background, on: canvas) }
        cairo_translate(canvas.context, padding.x, padding.y)
        if let shadow = text.shadow { try cast(shadow, on: canvas, scale: scale, shown: shown) }
        drawLetters(on: canvas.context, shown: shown)
    }

    private func drawBackground(_ background: TitleBackground, on canvas: TextCanvas) {
        let context = canvas.context
        cairo_save(context)
        defer { cairo_restore(context) }
        setColor(background.color, on: context)
        let (width, height) = size
        cairo_new_path(context)
        canvas.roundedRectangle(width: width, height: height, radius: pixels(background.radius))
        cairo_fill(context)
    }

    /// The letters' own coverage, blurred, in the shadow's colour.
    private func cast(
        _ shadow: TitleShadow,
        on canvas: TextCanvas,
        scale: (x: Double, y: Double),
        shown: Int?
    ) throws(TitleError) {
        let mask = try TextCanvas(width: canvas.width, height: canvas.height)
        var matrix = cairo_matrix_t()
        cairo_get_matrix(canvas.context, &matrix)
        cairo_set_matrix(mask.context, &matrix)
        cairo_translate(mask.context, pixels(shadow.x), pixels(shadow.y))
        drawLetters(on: mask.context, shown: shown)
        mask.blurAlpha(x: pixels(shadow.blur) * scale.x, y: pixels(shadow.blur) * scale.y)
        cairo_save(canvas.context)
        cairo_identity_matrix(canvas.context)
        setColor(shadow.color, on: canvas.context)
        cairo_mask_surface(canvas.context, mask.surface, 0, 0)
        cairo_restore(canvas.context)
    }

    /// All outlines first: none covers the letters of another line. Letters are filled as paths, which stand where they
    /// should to the part of a pixel; Cairo would round the places of glyphs. Emoji are pictures and have no outline.
    ///
    /// Pango is not told (`pango_cairo_update_layout`) how large it is drawn: it would lay the text out anew, some of
    /// its units apart, and the block's place would depend on what was drawn before.
    private func drawLetters(on context: OpaquePointer, shown: Int?) {
        cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
        if let outline = text.outline, outline.width > 0 {
            setColor(outline.color, on: context)
            cairo_set_line_width(context, 2 * pixels(outline.width))
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
            eachRun(on: context, shown: shown) { font, glyphs in
                guard !FontBook.isColor(font) else { return }
                pango_cairo_glyph_string_path(context, font, glyphs)
                cairo_stroke(context)
            }
        }
        setColor(text.color, on: context)
        eachRun(on: context, shown: shown) { font, glyphs in
            guard !FontBook.isColor(font) else { return pango_cairo_show_glyph_string(context, font, glyphs) }
            pango_cairo_glyph_string_path(context, font, glyphs)
            cairo_fill(context)
        }
    }

    private func setColor(_ color: String, on context: OpaquePointer) {
        let value = UInt32(color.dropFirst(), radix: 16) ?? 0
        let parts = (0..<4).map { Double(value >> (24 - 8 * $0) & 255) / 255 }
        cairo_set_source_rgba(context, parts[0], parts[1], parts[2], parts[3])
    }
}

extension TextBlock {
    /// Number of clusters: what appears at once when a text is typed.
    package var clusterCount: Int {
        TextLock.enter()
        defer { TextLock.leave() }
        return clusters().count
    }

    /// Draws run after run, each from its left end on the baseline; of the first `shown` clusters, in the order of the
    /// text, when that is not nil.
    private func eachRun(
        on context: OpaquePointer,
        shown: Int?,
        _ draw: (UnsafeMutablePointer<PangoFont>, UnsafeMutablePointer<PangoGlyphString>) -> Void
    ) {
        guard let iterator = pango_layout_get_iter(layout) else { return }
        defer { pango_layout_iter_free(iterator) }
        let all = shown == nil ? [] : clusters().sorted { $0.byte < $1.byte }
        // Marks may reach out of their clusters: the whole text is not clipped.
        let clusters = shown.flatMap { $0 < all.count ? Array(all.prefix(max(0, $0))) : nil }
        let unit = Double(PANGO_SCALE)
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator),
                let line = pango_layout_iter_get_line_readonly(iterator),
                let font = run.pointee.item.pointee.analysis.font, let glyphs = run.pointee.glyphs
            else { continue }
            cairo_save(context)
            if let clusters { clip(to: clusters, of: line, on: context) }
            var logical = PangoRectangle()
            pango_layout_iter_get_run_extents(iterator, nil, &logical)
            cairo_new_path(context)
            cairo_move_to(context, Double(logical.x) / unit, Double(pango_layout_iter_get_baseline(iterator)) / unit)
            draw(font, glyphs)
            cairo_restore(context)
        } while pango_layout_iter_next_run(iterator) != 0
    }

    private func clip(to shown: [Cluster], of line: UnsafeMutablePointer<PangoLayoutLine>, on context: OpaquePointer) {
        let first = line.pointee.start_index
        let bytes = first..<first + max(line.pointee.length, 0)
        let reach = reach
        cairo_new_path(context)
        for cluster in shown where bytes.contains(cluster.byte) {
            cairo_rectangle(context, cluster.left, reach.top, cluster.right - cluster.left, reach.bottom - reach.top)
        }
        cairo_clip(context)
    }

    private struct Cluster {
        var byte: Int32
        var left: Double
        var right: Double
    }

    private func clusters() -> [Cluster] {
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var clusters: [Cluster] = []
        let unit = Double(PANGO_SCALE)
        repeat {
            guard pango_layout_iter_get_run_readonly(iterator) != nil else { continue }
            var logical = PangoRectangle()
            pango_layout_iter_get_cluster_extents(iterator, nil, &logical)
            clusters.append(
                Cluster(
                    byte: pango_layout_iter_get_index(iterator),
                    left: Double(logical.x) / unit,
                    right: Double(logical.x + logical.width) / unit
                )
            )
        } while pango_layout_iter_next_cluster(iterator) != 0
        return clusters
    }
}
