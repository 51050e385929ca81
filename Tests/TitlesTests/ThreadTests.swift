import CompositionModel
import Foundation
import Testing
import Titles

/// What is drawn does not depend on what other threads draw.
@Suite(.enabled(if: Fonts.areInstalled))
struct ThreadTests {
    private static let texts = ["AVATAR fi ffl", "السلام عليكم", "Élan çà", "हिन्दी", "😀 Go"]

    /// - Returns: a digest of the letters, their places and their pixels.
    private static func drawn(_ number: Int) throws -> ContentDigest {
        let fonts = [Fonts.latin, Fonts.arabic, Fonts.hindi, Fonts.emoji]
        let block = try Fonts.block(texts[number % texts.count], fonts, size: Int64(14 + number % 7)) {
            $0.outline = TitleOutline(width: 1_500_000, color: "#102040ff")
            $0.shadow = number % 2 == 0 ? TitleShadow(x: 2_000_000, y: 0, blur: 1_000_000, color: "#000000a0") : nil
        }
        let picture = try #require(try block.picture(at: (3.25, 2.5), scale: (1, 1)))
        let places = block.glyphs().flatMap { [$0.face, Int($0.glyph), $0.advance] } + [picture.x, picture.y]
        return ContentDigest(of: Array("\(places)".utf8) + picture.pixels)
    }

    /// Both draw all texts, so that faces and sizes are changed below the other's hands.
    @Test func `two threads draw what one draws`() async throws {
        let expected = try (0..<35).map(Self.drawn)
        async let first = Self.wrong(step: 1, expected)
        async let second = Self.wrong(step: 2, expected)
        #expect(await first.isEmpty)
        #expect(await second.isEmpty)
    }

    /// Draws 250 texts on a thread of its own. - Returns: numbers of those that are not as expected.
    private static func wrong(step: Int, _ expected: [ContentDigest]) async -> [Int] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let numbers = (0..<250).map { $0 * step % expected.count }
                continuation.resume(returning: numbers.filter { (try? drawn($0)) != expected[$0] })
            }
        }
    }
}
