import CompositionModel
import Foundation
import Planning
import Testing
import Titles

/// One title with Latin kerning, Arabic, Hindi, Thai, Chinese, Japanese, Korean and emoji, to the byte: what is drawn
/// changes only when somebody means it.
@Suite struct GoldenTitleTests {
    @Test(.enabled(if: Golden.difference == nil, "\(Golden.difference ?? "")"))
    func `the golden title is drawn to the byte`() throws {
        let block = try Fonts.block(Golden.text, size: 48) {
            $0.color = "#ffe08aff"
            $0.outline = TitleOutline(width: 2_000_000, color: "#102040ff")
            $0.shadow = TitleShadow(x: 5_000_000, y: 5_000_000, blur: 3_000_000, color: "#000000a0")
            $0.box.background = TitleBackground(
                color: "#204060c0",
                paddingX: 24_000_000,
                paddingY: 16_000_000,
                radius: 20_000_000
            )
        }
        #expect(block.unknownGlyphCount == 0)
        #expect(Golden.digest(of: block.glyphs()) == Golden.glyphs)
        let picture = try #require(try block.picture(at: (20.25, 10.5), scale: (1, 1)))
        #expect((picture.width, picture.height) == Golden.size)
        #expect(
            ContentDigest(of: picture.pixels).hex.prefix(32) == Golden.pixels,
            "\(Renderer.version == Golden.version ? "frames changed: raise Renderer.version" : "write the digests anew")"
        )
        #expect(Renderer.version == Golden.version, "the golden title is of another version: look at it, write it anew")
        if let path = ProcessInfo.processInfo.environment["CUTFARM_GOLDEN_TITLE"] {
            try Golden.write(picture, to: path)
        }
    }
}

private enum Golden {
    static let text = """
        AVATAR Töne, To. Wafting fi ffi
        العربية السلام عليكم ١٢٣
        हिन्दी क्षत्रिय विद्यार्थी
        ภาษาไทย น้ำใจ ก็ปี่
        漢字かな交じり文 한국어
        😀 👩‍👩‍👧 🇩🇪 ✌🏽
        """

    /// Of the renderer that drew it.
    static let version = 15
    static let glyphs = "99a49e1d3519be9487e2501bcf16306f"
    static let size = (715, 452)
    static let pixels = "c5f18ce10a0e7a5ac895ad3fc3f17636"

    /// Debian's fonts-noto-core 20201225-1, fonts-noto-cjk 20220127 and fonts-noto-color-emoji 2.042, by the digests'
    /// first 16 digits, and the libraries of Debian 12.
    private static let fonts = [
        "89c3c497f618fdaa", "8c67eaa2f0086872", "79a470365ccb210f", "dfbd5ed0f1e68c3c",
        "b76b0433203017ca", "e5899ed38b8ed83e",
    ]
    private static let libraries = [
        "pango": "1.50.12", "cairo": "1.16.0", "harfbuzz": "6.0.0", "freetype": "2.12.1",
    ]

    /// What of this machine is another; nil is nothing.
    static let difference: String? = {
        guard Fonts.areInstalled else { return "the fonts of the golden title are not installed" }
        for (path, expected) in zip(Fonts.all, fonts) {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
            let digest = ContentDigest(of: bytes).hex.prefix(16)
            if digest != expected {
                return "\(path) is another version (\(digest)) than the golden title was drawn with"
            }
        }
        for (name, expected) in libraries where TextLibraries.versions[name] != expected {
            let own = TextLibraries.versions[name] ?? "none"
            return "\(name) is \(own); the golden title was drawn with \(expected)"
        }
        return nil
    }()

    static func digest(of glyphs: [PlacedGlyph]) -> String {
        let numbers = glyphs.flatMap { [Int($0.face), Int($0.glyph), $0.advance, $0.byte] }
        return String(ContentDigest(of: Array(numbers.map(String.init).joined(separator: ",").utf8)).hex.prefix(32))
    }

    /// As a portable pixmap over grey.
    static func write(_ picture: TextPicture, to path: String) throws {
        var bytes = Array("P6 \(picture.width) \(picture.height) 255\n".utf8)
        for start in stride(from: 0, to: picture.pixels.count, by: 4) {
            let rest = 255 - Int(picture.pixels[start + 3])
            bytes += (0..<3).map { UInt8(min(255, Int(picture.pixels[start + $0]) + 128 * rest / 255)) }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
