import CPango

/// The faces that one text is drawn with, and no others: neither the machine's fonts nor its rules.
///
/// Each face is a family of its own, named by its number, so that asking for families in order asks for these faces in
/// order.
final class FontBook {
    /// Names of the faces as Pango sees them, in the text's order.
    let families: [String]
    let map: UnsafeMutablePointer<PangoFontMap>
    private let config: OpaquePointer
    private let places: [String]

    /// - Parameter faces: in the order in which a character looks for its glyph.
    /// - Throws: ``TitleError/unreadableFont(_:)``.
    init(_ faces: [(file: FontFile, index: Int)]) throws(TitleError) {
        guard let config = FontLibrary.makeConfig() else { throw .unreadableFont("Fontconfig does not start.") }
        families = faces.indices.map { "cutfarm \($0)" }
        places = faces.map { "\($0.file.path) \($0.index)" }
        for (number, face) in faces.enumerated() {
            guard FontBook.add(face.file, index: face.index, as: families[number], to: config) else {
                FcConfigDestroy(config)
                throw .unreadableFont("Font \(face.file.digest) has no face \(face.index) that can be read.")
            }
        }
        guard let map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT) else {
            FcConfigDestroy(config)
            throw .unreadableFont("Pango has no font map for FreeType.")
        }
        self.config = config
        self.map = map
        pango_fc_font_map_set_config(OpaquePointer(map), config)
        pango_cairo_font_map_set_resolution(OpaquePointer(map), 72)
    }

    deinit {
        TextLock.enter()
        defer { TextLock.leave() }
        g_object_unref(map)
        FcConfigDestroy(config)
    }

    /// The number of `font` among the text's faces; nil for none of them.
    func number(of font: UnsafeMutablePointer<PangoFont>?) -> Int? {
        guard let pattern = FontBook.pattern(of: font), let file = pattern.texts(FC_FILE).first,
            let index = pattern.integer(FC_INDEX)
        else { return nil }
        return places.firstIndex(of: "\(file) \(index)")
    }

    /// Whether `font` draws in colours of its own.
    static func isColor(_ font: UnsafeMutablePointer<PangoFont>?) -> Bool { pattern(of: font)?.flag(FC_COLOR) ?? false }

    private static func pattern(of font: UnsafeMutablePointer<PangoFont>?) -> OpaquePointer? {
        font.flatMap {
            pango_fc_font_get_pattern(UnsafeMutableRawPointer($0).assumingMemoryBound(to: PangoFcFont.self))
        }
    }

    /// Takes one face of `file` into `config`, under the name `family`.
    private static func add(_ file: FontFile, index: Int, as family: String, to config: OpaquePointer) -> Bool {
        let before = FcConfigGetFonts(config, FcSetApplication).map { $0.pointee.nfont } ?? 0
        guard FcConfigAppFontAddFile(config, file.path) == FcTrue, let set = FcConfigGetFonts(config, FcSetApplication)
        else { return false }
        var kept = before
        for place in Int(before)..<Int(set.pointee.nfont) {
            guard let pattern = set.pointee.fonts[place] else { continue }
            if kept == before, !pattern.isVariable, pattern.integer(FC_INDEX) == index {
                rename(pattern, family)
                set.pointee.fonts[Int(kept)] = pattern
                kept += 1
            } else {
                FcPatternDestroy(pattern)
            }
        }
        set.pointee.nfont = kept
        return kept == before + 1
    }

    private static func rename(_ pattern: OpaquePointer, _ family: String) {
        let names = [
            FC_FAMILY, FC_FAMILYLANG, FC_FULLNAME, FC_FULLNAMELANG, FC_STYLE, FC_STYLELANG, FC_POSTSCRIPT_NAME,
        ]
        for name in names { FcPatternDel(pattern, name) }
        FcPatternAddString(pattern, FC_FAMILY, family)
        // Pango asks for emoji under this name.
        if pattern.flag(FC_COLOR) { FcPatternAddString(pattern, FC_FAMILY, "emoji") }
    }
}
