import CPango
package import CompositionModel

/// What is in a font file.
package enum FontProbe {
    /// Whether a file that begins with `bytes` may be a font: TrueType, OpenType, a collection, WOFF or WOFF2.
    package static func isFont(_ bytes: some Sequence<UInt8>) -> Bool {
        let head = Array(bytes.prefix(4))
        return head == [0, 1, 0, 0] || ["OTTO", "ttcf", "true", "wOFF", "wOF2"].contains { Array($0.utf8) == head }
    }

    /// What is wrong with a font file of `bytes` by its own numbers, as a sentence; nil is nothing.
    package static func damage(in bytes: [UInt8]) -> String? { FontDamage.sentence(bytes) }

    /// The faces of `file`, those that a variable font names among them.
    /// - Throws: ``TitleError/unreadableFont(_:)``.
    package static func faces(of file: FontFile) throws(TitleError) -> [FontFaceFacts] { try faces(at: file.path) }

    /// The faces of the font file at `path`.
    /// - Throws: ``TitleError`` for a font that cannot be read.
    static func faces(at path: String) throws(TitleError) -> [FontFaceFacts] {
        TextLock.enter()
        defer { TextLock.leave() }
        guard let config = FontLibrary.makeConfig() else { throw .unreadableFont("Fontconfig does not start.") }
        defer { FcConfigDestroy(config) }
        guard FcConfigAppFontAddFile(config, path) == FcTrue, let set = FcConfigGetFonts(config, FcSetApplication)
        else {
            throw .unreadableFont(FontDamage.sentence(at: path))
        }
        let patterns = (0..<Int(set.pointee.nfont)).compactMap { set.pointee.fonts[$0] }
        let faces = patterns.filter { !$0.isVariable }.map(FontProbe.facts).sorted { $0.index < $1.index }
        guard !faces.isEmpty else { throw .unreadableFont("The file has no face that text could be drawn with.") }
        return faces
    }

    private static func facts(_ pattern: OpaquePointer) -> FontFaceFacts {
        FontFaceFacts(
            index: pattern.integer(FC_INDEX) ?? 0,
            families: pattern.texts(FC_FAMILY),
            style: pattern.texts(FC_STYLE).first ?? "",
            weight: pattern.double(FC_WEIGHT).map { Int(FcWeightToOpenTypeDouble($0).rounded()) } ?? 400,
            isItalic: (pattern.integer(FC_SLANT) ?? 0) != 0,
            width: pattern.double(FC_WIDTH).map { Int($0.rounded()) } ?? 100,
            isMonospaced: (pattern.integer(FC_SPACING) ?? 0) >= Int(FC_MONO),
            isColor: pattern.flag(FC_COLOR),
            coverage: coverage(of: pattern)
        )
    }

    private static func coverage(of pattern: OpaquePointer) -> [Int] {
        var set: OpaquePointer?
        guard FcPatternGetCharSet(pattern, FC_CHARSET, 0, &set) == FcResultMatch, let set else { return [] }
        var coverage: [Int] = []
        var page = [FcChar32](repeating: 0, count: Int(FC_CHARSET_MAP_SIZE))
        var next: FcChar32 = 0
        var base = FcCharSetFirstPage(set, &page, &next)
        while base != FcChar32.max {
            for (word, bits) in page.enumerated() where bits != 0 {
                for bit in 0..<32 where bits & (1 << bit) != 0 {
                    append(Int(base) + 32 * word + bit, to: &coverage)
                }
            }
            base = FcCharSetNextPage(set, &page, &next)
        }
        return coverage
    }

    private static func append(_ scalar: Int, to coverage: inout [Int]) {
        let last = coverage.count - 2
        if last >= 0, coverage[last] + coverage[last + 1] == scalar {
            coverage[last + 1] += 1
        } else {
            coverage += [scalar, 1]
        }
    }
}

// What an FcPattern says.
extension OpaquePointer {
    var isVariable: Bool { flag(FC_VARIABLE) }

    func integer(_ name: String) -> Int? {
        var value: Int32 = 0
        return FcPatternGetInteger(self, name, 0, &value) == FcResultMatch ? Int(value) : nil
    }

    /// Weight and width are numbers, or ranges in variable fonts, whose named instances say one number.
    func double(_ name: String) -> Double? {
        var value: Double = 0
        return FcPatternGetDouble(self, name, 0, &value) == FcResultMatch ? value : nil
    }

    func flag(_ name: String) -> Bool {
        var value: FcBool = FcFalse
        return FcPatternGetBool(self, name, 0, &value) == FcResultMatch && value == FcTrue
    }

    func texts(_ name: String) -> [String] {
        var texts: [String] = []
        var value: UnsafeMutablePointer<FcChar8>?
        while FcPatternGetString(self, name, Int32(texts.count), &value) == FcResultMatch, let found = value {
            texts.append(String(cString: found))
        }
        return texts
    }
}
