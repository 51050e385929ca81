import Foundation
import Shared
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

    @Test func `what is no font is refused`() throws {
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fonts.latin)))
        for bytes in [Array("OTTO and nothing else".utf8), Array(whole.prefix(100))] {
            let file = try FontFile(bytes, digest: ContentDigest(of: bytes))
            #expect(throws: TitleError.self) { try FontProbe.faces(of: file) }
        }
    }
}
