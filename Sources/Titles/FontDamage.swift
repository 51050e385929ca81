import CPango

/// Why a font file cannot be read, as far as it says so itself.
enum FontDamage {
    /// What of the file's own numbers cannot be: FreeType leaves tables out that are cut off, and letters would be
    /// drawn as nothing.
    /// - Returns: one sentence; nil for a file that is whole, or of another kind.
    static func sentence(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 12 else { return cut(bytes, at: 12) }
        switch Array(bytes.prefix(4)) {
        case Array("wOFF".utf8), Array("wOF2".utf8): return cut(bytes, at: number(bytes, 8))
        case Array("ttcf".utf8):
            let count = number(bytes, 8)
            guard count <= 1024, bytes.count >= 12 + 4 * count else { return cut(bytes, at: 12 + 4 * count) }
            return (0..<count).compactMap { tables(bytes, from: number(bytes, 12 + 4 * $0)) }.first
        default: return tables(bytes, from: 0)
        }
    }

    /// Whether all tables of the face whose directory begins at `start` are there (OpenType, "Table directory").
    private static func tables(_ bytes: [UInt8], from start: Int) -> String? {
        guard bytes.count >= start + 12 else { return cut(bytes, at: start + 12) }
        let count = Int(bytes[start + 4]) << 8 | Int(bytes[start + 5])
        guard bytes.count >= start + 12 + 16 * count else { return cut(bytes, at: start + 12 + 16 * count) }
        let ends = (0..<count).map { table in
            let record = start + 12 + 16 * table
            return number(bytes, record + 8) + number(bytes, record + 12)
        }
        return cut(bytes, at: ends.max() ?? 0)
    }

    private static func cut(_ bytes: [UInt8], at end: Int) -> String? {
        guard end > bytes.count else { return nil }
        return "The font is damaged: it has \(bytes.count) bytes and says that it has \(end); copy it again."
    }

    private static func number(_ bytes: [UInt8], _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// What FreeType says of the file at `path`.
    static func sentence(at path: String) -> String {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0 else { return "FreeType does not start." }
        defer { FT_Done_FreeType(library) }
        var face: FT_Face?
        let error = FT_New_Face(library, path, 0, &face)
        guard error != 0 else {
            FT_Done_Face(face)
            return "The file has no face that text could be drawn with."
        }
        let reason = reasons[error] ?? "error \(error)"
        return "The file is no font that FreeType can read (\(reason)): it is damaged, or of another kind."
    }

    /// FreeType's errors by their numbers in fterrdef.h.
    private static let reasons: [FT_Error: String] = [
        0x01: "cannot open it", 0x02: "unknown format", 0x03: "broken file", 0x04: "unknown version",
        0x06: "invalid values", 0x07: "a feature that it does not know", 0x08: "a broken table",
        0x09: "a table that leads out of the file", 0x40: "no memory", 0x55: "the file ends too early",
        0x8E: "a table is missing", 0x90: "a table is missing", 0x91: "a table is missing", 0x92: "a table is missing",
    ]
}
