import CPango

/// One glyph of a laid out text.
package struct PlacedGlyph: Sendable, Hashable {
    /// Position in the text's faces; -1 for none.
    package let face: Int
    /// The font's own number; 0 is its box for what it lacks.
    package let glyph: UInt32
    /// The advance in 1024ths of a pixel.
    package let advance: Int
    /// Byte of the UTF-8 text that its cluster begins with.
    package let byte: Int
}

extension TextBlock {
    /// The glyphs as they are drawn: lines in order, each from left to right. Glyphs that draw nothing are left out.
    package func glyphs() -> [PlacedGlyph] {
        TextLock.enter()
        defer { TextLock.leave() }
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var glyphs: [PlacedGlyph] = []
        repeat {
            if let run = pango_layout_iter_get_run_readonly(iterator) { glyphs += placed(run.pointee) }
        } while pango_layout_iter_next_run(iterator) != 0
        return glyphs
    }

    private func placed(_ run: PangoGlyphItem) -> [PlacedGlyph] {
        let (item, string) = (run.item.pointee, run.glyphs.pointee)
        let face = book.number(of: item.analysis.font) ?? -1
        return (0..<Int(string.num_glyphs)).compactMap { index in
            let info = string.glyphs[index]
            guard info.glyph != CUT_GLYPH_EMPTY else { return nil }
            return PlacedGlyph(
                face: face,
                glyph: info.glyph & CUT_GLYPH_UNKNOWN_FLAG != 0 ? 0 : info.glyph,
                advance: Int(info.geometry.width),
                byte: Int(item.offset + string.log_clusters[index])
            )
        }
    }
}
