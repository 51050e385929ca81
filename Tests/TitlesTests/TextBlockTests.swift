import CompositionModel
import Foundation
import Testing
import Titles

/// Layout: which glyphs, how far apart, in which lines.
@Suite(.enabled(if: Fonts.areInstalled))
struct TextBlockTests {
    /// Kerning and ligatures, joining letters, reordered vowels, stacked marks, ideographs and syllables.
    @Test(arguments: [
        ("AVATAR Wafting, To. fi ffi", Fonts.latin), ("السلام عليكم", Fonts.arabic),
        ("हिन्दी क्षत्रिय विद्यार्थी", Fonts.hindi), ("ภาษาไทย น้ำใจ ก็ปี่", Fonts.thai),
        ("漢字かな交じり文한국어", Fonts.cjk), ("👩‍👩‍👧🇩🇪✌🏽", Fonts.emoji),
    ])
    func `glyphs are those of HarfBuzz`(text: String, font: String) throws {
        let block = try Fonts.block(text, [font])
        #expect(block.unknownGlyphCount == 0)
        #expect(block.glyphs().map(\.glyph) == (try shaped(text, font)).map(\.glyph))
    }

    /// At 1000 px for 1000 units to the em an advance is as many pixels as the font has units.
    @Test(arguments: [("AVATAR Wafting, To.", Fonts.latin), ("漢字かな", Fonts.cjk)])
    func `advances are those of the font, kerned and unrounded`(text: String, font: String) throws {
        let advances = try Fonts.block(text, [font]).glyphs().map { Double($0.advance) / 1024 }
        let expected = try shaped(text, font).map { Double($0.advance) }
        #expect(advances.count == expected.count)
        #expect(zip(advances, expected).allSatisfy { abs($0 - $1) < 0.01 })
        let small = try Fonts.block(text, [font], size: 17).glyphs().map { Double($0.advance) / 1024 }
        #expect(zip(small, expected).allSatisfy { abs($0 - $1 * 17 / 1000) < 0.01 })
    }

    @Test func `a character is drawn by the first face that has it`() throws {
        let glyphs = try Fonts.block("aالह漢😀").glyphs()
        #expect(Set(glyphs.map(\.face)) == [0, 1, 2, 4, 5])
        #expect(try Fonts.block("ab", [Fonts.bold, Fonts.latin]).glyphs().allSatisfy { $0.face == 0 })
        #expect(try Fonts.block("ab", [Fonts.latin, Fonts.bold]).glyphs().allSatisfy { $0.face == 0 })
    }

    @Test func `what no face has is counted, and no font of the machine helps out`() throws {
        let block = try Fonts.block("a漢b", [Fonts.latin])
        #expect(block.unknownGlyphCount == 1)
        #expect(block.glyphs().map(\.glyph).filter { $0 == 0 }.count == 1)
    }

    /// Sizes at which Pango's metrics of two scales differ by some of its units.
    @Test(arguments: [9.0, 10.5, 11.9394, 12.728, 17.1] as [Double])
    func `drawing it changes nothing of where it stands`(size: Double) throws {
        let block = try Fonts.block("Elan ca A\nfi ffl") {
            $0.size = Int64(size * 1_000_000)
            $0.lineSpacing = 1_552_000
        }
        let (before, origin) = (block.size, block.origin(inWidth: 160, height: 90))
        let first = try #require(try block.picture(at: origin, scale: (2, 2)))
        #expect(block.size.height == before.height && block.origin(inWidth: 160, height: 90).y == origin.y)
        _ = try block.picture(at: origin, scale: (0.37, 0.41))
        #expect(block.size.height == before.height && block.size.width == before.width)
        #expect(try block.picture(at: origin, scale: (2, 2)) == first)
    }

    @Test func `letter spacing, line spacing and the width of the box change the size`() throws {
        let plain = try Fonts.block("one two three", [Fonts.latin], size: 40)
        let spaced = try Fonts.block("one two three", [Fonts.latin], size: 40) { $0.letterSpacing = 5_000_000 }
        #expect(abs(spaced.size.width - plain.size.width - 13 * 5) < 6)
        let wrapped = try Fonts.block("one two three", [Fonts.latin], size: 40) { $0.box.width = 120_000_000 }
        #expect(wrapped.size.width == 120)
        #expect(abs(wrapped.size.height - 3 * plain.size.height) < 0.1)
        let high = try Fonts.block("a\nb\nc", [Fonts.latin], size: 40) { $0.lineSpacing = 2_000_000 }
        #expect(high.size.height > 1.5 * (try Fonts.block("a\nb\nc", [Fonts.latin], size: 40)).size.height)
    }

    @Test(arguments: TitleBox.Anchor.allCases)
    func `the block stands where its anchor says`(anchor: TitleBox.Anchor) throws {
        let place = try #require(TitleBox.Anchor.allCases.firstIndex(of: anchor))
        let block = try Fonts.block("Title", [Fonts.latin], size: 40) {
            $0.box.anchor = anchor
            ($0.box.marginX, $0.box.marginY) = (10_000_000, 20_000_000)
        }
        let (width, height) = block.size
        let origin = block.origin(inWidth: 640, height: 360)
        let across = [10, (640 - width) / 2, 630 - width][place % 3]
        let down = [20, (360 - height) / 2, 340 - height][place / 3]
        #expect(abs(origin.x - across) < 1e-9)
        #expect(abs(origin.y - down) < 1e-9)
    }

    private struct Shaped: Decodable {
        var g: UInt32
        var ax: Int
    }

    /// What `hb-shape` makes of `text`: glyph numbers and advances in font units.
    private func shaped(_ text: String, _ font: String) throws -> [(glyph: UInt32, advance: Int)] {
        let pipe = Pipe()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/hb-shape")
        process.arguments = ["--no-glyph-names", "--output-format=json", font, text]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode([Shaped].self, from: output).map { ($0.g, $0.ax) }
    }
}
