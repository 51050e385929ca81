import CPango
package import CompositionModel

/// A text that was laid out: its lines, its size and its place, in pixels of the edit's frame.
///
/// Nothing of the machine goes into it but the faces that are given: no hinting, no metrics rounded to pixels. One
/// block belongs to one thread; blocks of several threads wait for each other.
package final class TextBlock {
    let text: TitleText
    let layout: OpaquePointer
    private let context: OpaquePointer
    let book: FontBook

    /// - Parameter faces: in the order of `text.faces`.
    /// - Throws: ``TitleError``.
    package init(_ text: TitleText, faces: [(file: FontFile, index: Int)]) throws(TitleError) {
        TextLock.enter()
        defer { TextLock.leave() }
        book = try FontBook(faces)
        guard let context = pango_font_map_create_context(book.map), let layout = pango_layout_new(context) else {
            throw .unreadableFont("Pango does not start.")
        }
        self.text = text
        self.context = context
        self.layout = layout
        prepareContext()
        prepareLayout()
    }

    deinit {
        TextLock.enter()
        defer { TextLock.leave() }
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// How many glyphs no face has.
    package var unknownGlyphCount: Int {
        TextLock.enter()
        defer { TextLock.leave() }
        return Int(pango_layout_get_unknown_glyphs_count(layout))
    }

    /// Width and height with the padding of a background.
    package var size: (width: Double, height: Double) {
        TextLock.enter()
        defer { TextLock.leave() }
        var extents = PangoRectangle()
        pango_layout_get_extents(layout, nil, &extents)
        let width = text.box.width.map(pixels) ?? Double(extents.width) / Double(PANGO_SCALE)
        let height = Double(extents.height) / Double(PANGO_SCALE)
        return (width + 2 * padding.x, height + 2 * padding.y)
    }

    /// Left and top of the block in a frame of `width` × `height`.
    package func origin(inWidth width: Int, height: Int) -> (x: Double, y: Double) {
        let (across, down) = text.box.anchor.halves
        let (marginX, marginY) = (pixels(text.box.marginX), pixels(text.box.marginY))
        return (
            marginX + (Double(width) - 2 * marginX - size.width) * Double(across) / 2,
            marginY + (Double(height) - 2 * marginY - size.height) * Double(down) / 2
        )
    }

    /// Between the block's edge and the text.
    var padding: (x: Double, y: Double) {
        guard let background = text.box.background else { return (0, 0) }
        return (pixels(background.paddingX), pixels(background.paddingY))
    }

    private func prepareContext() {
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_base_dir(context, PANGO_DIRECTION_WEAK_LTR)
        pango_context_set_language(context, pango_language_from_string(text.language ?? "en"))
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    private func prepareLayout() {
        let description = pango_font_description_new()
        pango_font_description_set_family(description, book.families.joined(separator: ","))
        pango_font_description_set_absolute_size(description, pixels(text.size) * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        pango_font_description_free(description)
        let attributes = pango_attr_list_new()
        if let spacing = text.letterSpacing {
            pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(units(spacing)))
        }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        if let width = text.box.width {
            pango_layout_set_width(layout, units(width))
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        }
        if let spacing = text.lineSpacing { pango_layout_set_line_spacing(layout, Float(spacing) / 1_000_000) }
        pango_layout_set_justify(layout, text.alignment == .justify ? 1 : 0)
        pango_layout_set_text(layout, text.text, Int32(text.text.utf8.count))
        pango_layout_set_alignment(layout, alignment)
    }

    /// Pango's left is where lines of the text's direction begin.
    private var alignment: PangoAlignment {
        let isReversed = pango_layout_get_direction(layout, 0) == PANGO_DIRECTION_RTL
        switch text.alignment {
        case .start, .justify: return PANGO_ALIGN_LEFT
        case .end: return PANGO_ALIGN_RIGHT
        case .center: return PANGO_ALIGN_CENTER
        case .left: return isReversed ? PANGO_ALIGN_RIGHT : PANGO_ALIGN_LEFT
        case .right: return isReversed ? PANGO_ALIGN_LEFT : PANGO_ALIGN_RIGHT
        }
    }
}

/// Millionths as pixels.
func pixels(_ millionths: Int64) -> Double { Double(millionths) / 1_000_000 }

/// Millionths of a pixel as Pango's 1024ths.
private func units(_ millionths: Int64) -> Int32 {
    Int32(clamping: Int64((pixels(millionths) * Double(PANGO_SCALE)).rounded()))
}
