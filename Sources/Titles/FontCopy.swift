import CPango
import Glibc

/// One face of a font file as a font of its own, under another family name: for a library that chooses fonts by their
/// names and must find these and no others.
package struct FontCopy: Sendable {
    /// TrueType or OpenType, whatever the file was packed as.
    package let bytes: [UInt8]
    /// How high libass takes the face to be, of its em square: its sizes are such heights (those of Windows where the
    /// font says them).
    package let height: Double

    /// - Parameters:
    ///   - index: the face of a collection; named instances of variable fonts are none.
    ///   - number: makes the font's other names unlike those of all others.
    ///   - height: what ``height`` shall be, where the font can be made to say so: a face that helps out another one is
    ///     then drawn with an em square as large as its.
    /// - Throws: ``TitleError/unreadableFont(_:)``.
    package init(
        of file: FontFile,
        face index: Int,
        family: String,
        number: Int,
        height wanted: Double? = nil
    ) throws(TitleError) {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0 else { throw .unreadableFont("FreeType does not start.") }
        defer { FT_Done_FreeType(library) }
        var opened: FT_Face?
        guard FT_New_Face(library, file.path, FT_Long(index), &opened) == 0, let face = opened else {
            throw .unreadableFont("Font \(file.digest) has no face \(index) that can be read.")
        }
        defer { FT_Done_Face(face) }
        var tables = try FontCopy.tables(of: face)
        guard face.pointee.units_per_EM > 0, tables[FontCopy.outlines] != nil || tables[FontCopy.glyphs] != nil else {
            throw .unreadableFont("Font \(file.digest) has no outlines that subtitles could be drawn with.")
        }
        let units = Double(face.pointee.units_per_EM)
        if let wanted, let table = tables[FontCopy.metrics] {
            let own = FontCopy.height(of: face, table)
            tables[FontCopy.metrics] = FontCopy.metrics(table, scaledBy: wanted * units / own, from: face)
        }
        height = FontCopy.height(of: face, tables[FontCopy.metrics]) / units
        tables[FontCopy.names] = FontCopy.nameTable(family: family, number: number)
        tables[FontCopy.signature] = nil
        bytes = FontCopy.file(tables)
    }

    private static let names = tag("name")
    private static let outlines = tag("CFF ")
    private static let glyphs = tag("glyf")
    private static let metrics = tag("OS/2")
    private static let signature = tag("DSIG")

    private static func tag(_ text: String) -> UInt32 { text.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    private static func tables(of face: FT_Face) throws(TitleError) -> [UInt32: [UInt8]] {
        var count: FT_ULong = 0
        guard FT_Sfnt_Table_Info(face, 0, nil, &count) == 0, (1...200).contains(count) else {
            throw .unreadableFont("The font is neither TrueType nor OpenType; subtitles need such a one.")
        }
        var tables: [UInt32: [UInt8]] = [:]
        for index in 0..<FT_UInt(count) {
            var (tag, length): (FT_ULong, FT_ULong) = (0, 0)
            guard FT_Sfnt_Table_Info(face, index, &tag, &length) == 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: Int(length))
            guard length > 0, FT_Load_Sfnt_Table(face, tag, 0, &bytes, &length) == 0 else { continue }
            tables[UInt32(truncatingIfNeeded: tag)] = bytes
        }
        return tables
    }

    /// usWinAscent and usWinDescent, taken as signed, where their sum is not 0; else as FreeType says.
    private static func height(of face: FT_Face, _ table: [UInt8]?) -> Double {
        if let table, table.count >= 78 {
            let ascent = Int16(bitPattern: UInt16(table[74]) << 8 | UInt16(table[75]))
            let descent = Int16(bitPattern: UInt16(table[76]) << 8 | UInt16(table[77]))
            let sum = Int(ascent) + Int(descent)
            if sum > 0 { return Double(sum) }
        }
        let sum = Int(face.pointee.ascender) - Int(face.pointee.descender)
        return sum > 0 ? Double(sum) : Double(face.pointee.units_per_EM)
    }

    /// `table` with other usWinAscent and usWinDescent; as it is where they have no room.
    private static func metrics(_ table: [UInt8], scaledBy factor: Double, from face: FT_Face) -> [UInt8] {
        guard table.count >= 78 else { return table }
        func signed(_ place: Int) -> Int {
            Int(Int16(bitPattern: UInt16(table[place]) << 8 | UInt16(table[place + 1])))
        }
        var (ascent, descent) = (signed(74), signed(76))
        if ascent + descent <= 0 { (ascent, descent) = (Int(face.pointee.ascender), -Int(face.pointee.descender)) }
        let total = (Double(ascent + descent) * factor).rounded()
        let top = (Double(ascent) * factor).rounded()
        guard let above = Int16(exactly: top), let below = Int16(exactly: total - top), total > 0 else { return table }
        return table[..<74] + big(above) + big(below) + table[78...]
    }

    /// Family, style, whole name and PostScript name, for Windows in English (OpenType, "name").
    private static func nameTable(family: String, number: Int) -> [UInt8] {
        let texts: [(UInt16, String)] = [
            (1, family), (2, "Regular"), (4, "cutfarm face \(number)"), (6, "cutfarm-face-\(number)"),
        ]
        var (records, strings): ([UInt8], [UInt8]) = ([], [])
        for (identifier, text) in texts {
            let encoded = text.utf16.flatMap { big(UInt16($0)) }
            let fields = [3, 1, 0x409, identifier, UInt16(encoded.count), UInt16(strings.count)]
            records += fields.flatMap { big($0) }
            strings += encoded
        }
        let count = UInt16(texts.count)
        return big(UInt16(0)) + big(count) + big(6 + 12 * count) + records + strings
    }

    /// The tables in the order of their names, each at a multiple of four bytes (OpenType, "Font file").
    private static func file(_ tables: [UInt32: [UInt8]]) -> [UInt8] {
        let ordered = tables.sorted { $0.key < $1.key }
        let count = UInt16(ordered.count)
        let power = UInt16(15 - count.leadingZeroBitCount)
        var header = big(tables[outlines] == nil ? UInt32(0x0001_0000) : tag("OTTO"))
        let range: UInt16 = 16 << power
        header += big(count) + big(range) + big(power) + big(16 * count - range)
        var body: [UInt8] = []
        body.reserveCapacity(ordered.reduce(0) { $0 + $1.value.count + 3 })
        let start = UInt32(12 + 16 * ordered.count)
        for (tag, bytes) in ordered {
            header += big(tag) + big(UInt32(0)) + big(start + UInt32(body.count)) + big(UInt32(bytes.count))
            body += bytes
            body += [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        return header + body
    }

    private static func big<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
