import CompositionModel
import Foundation
import Testing
import Titles

@Suite(.enabled(if: Fonts.areInstalled))
struct FontProbeTests {
    @Test func `a face says its family, weight and characters`() throws {
        let faces = try FontProbe.faces(of: Fonts.file(Fonts.bold))
        let face = try #require(faces.first)
        #expect(faces.count == 1)
        #expect(face.families == ["Noto Sans"])
        #expect((face.weight, face.isItalic, face.isColor, face.isMonospaced) == (700, false, false, false))
        #expect(face.covers("A") && face.covers("ж") && !face.covers("漢"))
    }

    @Test func `a collection has many faces`() throws {
        let faces = try FontProbe.faces(of: Fonts.file(Fonts.cjk))
        #expect(faces.map(\.index) == Array(0..<10))
        #expect(faces[2].families.first == "Noto Sans CJK SC")
        #expect(faces.allSatisfy { $0.covers("漢") })
    }

    @Test func `emoji draw in colours`() throws {
        #expect(try FontProbe.faces(of: Fonts.file(Fonts.emoji)).first?.isColor == true)
    }

    @Test func `a font is known by its first bytes`() throws {
        for path in Fonts.all { #expect(FontProbe.isFont(try Data(contentsOf: URL(fileURLWithPath: path)))) }
        #expect(!FontProbe.isFont(Array("\u{0}\u{0}\u{0}\u{18}ftypisom".utf8)))
    }

    @Test(arguments: [Fonts.latin, Fonts.cjk, Fonts.emoji])
    func `a font that is cut off says so`(path: String) throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(FontProbe.damage(in: whole) == nil)
        for length in [0, 3, 11, 40, whole.count / 2, whole.count - 4096] {
            let sentence = try #require(FontProbe.damage(in: Array(whole.prefix(length))))
            #expect(sentence.contains("has \(length) bytes and says that it has"), "\(sentence)")
        }
    }

    @Test func `a damaged font says what FreeType says`() throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fonts.latin)))
        for place in 12..<400 { bytes[place] = 0 }
        let file = try FontFile(bytes, digest: ContentDigest(of: bytes))
        let error = #expect(throws: TitleError.self) { try FontProbe.faces(of: file) }
        #expect(error?.failure.message.contains("no font that FreeType can read") == true)
        #expect(error?.failure.code == "font_unreadable")
    }

    /// The Web's packing is read as the font in it; cut off, it says so.
    @Test func `a font in WOFF is read`() throws {
        let plain = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fonts.latin)))
        let packed = Self.woff(plain)
        #expect(FontProbe.isFont(packed) && FontProbe.damage(in: packed) == nil)
        let faces = try FontProbe.faces(of: FontFile(packed, digest: ContentDigest(of: packed)))
        #expect(faces == (try FontProbe.faces(of: Fonts.file(Fonts.latin))))
        #expect(FontProbe.damage(in: packed.dropLast(9))?.contains("says that it has \(packed.count)") == true)
    }

    /// A copy for libass has the family's new name and the same letters, out of a collection too.
    @Test(arguments: [(Fonts.latin, 0), (Fonts.cjk, 2)]) func `a copy is found by its new name`(
        path: String,
        index: Int
    ) throws {
        let copy = try FontCopy(of: Fonts.file(path), face: index, family: "Zweite Schrift", number: 3)
        let face = try #require(
            try FontProbe.faces(of: FontFile(copy.bytes, digest: ContentDigest(of: copy.bytes))).first
        )
        let original = try #require(try FontProbe.faces(of: Fonts.file(path)).first { $0.index == index })
        #expect(face.families == ["Zweite Schrift"])
        #expect((face.weight, face.coverage) == (original.weight, original.coverage))
        #expect((1.0...2.0).contains(copy.height))
        #expect(FontProbe.damage(in: copy.bytes) == nil)
        #expect(throws: TitleError.self) { try FontCopy(of: Fonts.file(Fonts.emoji), face: 0, family: "E", number: 0) }
    }

    /// A face that helps out is made as high as the first, so that libass gives both the same em square.
    @Test(arguments: [Fonts.latin, Fonts.cjk]) func `a copy is as high as is asked for`(path: String) throws {
        let own = try FontCopy(of: Fonts.file(path), face: 0, family: "A", number: 1)
        for height in [1.0, 1.362, 2.5] {
            let copy = try FontCopy(of: Fonts.file(path), face: 0, family: "A", number: 1, height: height)
            #expect(abs(copy.height - height) < 0.002 && own.bytes.count == copy.bytes.count)
        }
        #expect(
            try FontCopy(of: Fonts.file(path), face: 0, family: "A", number: 1, height: own.height).bytes == own.bytes
        )
    }

    /// WOFF 1.0 with tables that are not compressed.
    private static func woff(_ font: [UInt8]) -> [UInt8] {
        func number(_ place: Int) -> Int { font[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        let count = Int(font[4]) << 8 | Int(font[5])
        var (directory, body): ([UInt8], [UInt8]) = ([], [])
        for table in 0..<count {
            let record = 12 + 16 * table
            let (offset, length) = (number(record + 8), number(record + 12))
            directory += font[record..<record + 4] + big(44 + 20 * count + body.count) + big(length) + big(length)
            directory += font[record + 4..<record + 8]
            body += font[offset..<offset + length] + [UInt8](repeating: 0, count: (4 - length % 4) % 4)
        }
        let total = 44 + directory.count + body.count
        let head = Array("wOFF".utf8) + font[0..<4] + big(total) + font[4..<6] + [0, 0] + big(font.count)
        return head + [UInt8](repeating: 0, count: 24) + directory + body
    }

    @Test func `what is no font is refused`() throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fonts.latin)))
        for bytes in [Array("OTTO and nothing else".utf8), Array(whole.prefix(100))] {
            let file = try FontFile(bytes, digest: ContentDigest(of: bytes))
            #expect(throws: TitleError.self) { try FontProbe.faces(of: file) }
        }
    }
}
