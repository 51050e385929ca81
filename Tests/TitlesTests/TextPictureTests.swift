import CompositionModel
import Foundation
import Testing

@testable import Titles

/// Drawing: the pixels.
@Suite(.enabled(if: Fonts.areInstalled))
struct TextPictureTests {
    private static let everything =
        "AVATAR Wafting, To. fi ffi\nالعربية السلام عليكم 123\nहिन्दी क्षत्रिय\nภาษาไทย น้ำใจ\n漢字かな 한국어\n😀 👩‍👩‍👧 🇩🇪"

    private func golden() throws -> TextBlock {
        try Fonts.block(Self.everything, size: 64) {
            $0.outline = TitleOutline(width: 2_000_000, color: "#000000ff")
            $0.shadow = TitleShadow(x: 6_000_000, y: 6_000_000, blur: 4_000_000, color: "#000000a0")
            $0.box.background = TitleBackground(
                color: "#80000080",
                paddingX: 30_000_000,
                paddingY: 20_000_000,
                radius: 24_000_000
            )
        }
    }

    @Test func `the same text gives the same bytes, on any thread`() async throws {
        let first = try #require(try golden().picture(at: (246.5, 61.25), scale: (1, 1)))
        let all = try await withThrowingTaskGroup(of: TextPicture?.self) { group in
            for _ in 0..<4 { group.addTask { try golden().picture(at: (246.5, 61.25), scale: (1, 1)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(all.allSatisfy { $0 == first })
    }

    /// Shadows, outlines and letters go over the borders of tiles as if there were none.
    @Test(arguments: [97, 200]) func `tiles are not seen`(tile: Int) throws {
        let block = try golden()
        let whole = try #require(try block.picture(at: (246.5, 61.25), scale: (0.7, 0.7), shown: nil, tile: 16_384))
        let tiled = try #require(try block.picture(at: (246.5, 61.25), scale: (0.7, 0.7), shown: nil, tile: tile))
        #expect((tiled.x, tiled.y, tiled.width, tiled.height) == (whole.x, whole.y, whole.width, whole.height))
        // Cairo counts places in 256ths of a pixel, from another corner.
        let most = zip(whole.pixels, tiled.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(most <= 4)
    }

    @Test func `a crawl may be longer than any picture`() throws {
        let block = try Fonts.block(String(repeating: "All the news of the day. ", count: 40), size: 65) {
            $0.shadow = TitleShadow(x: 4_000_000, y: 4_000_000, blur: 4_000_000, color: "#000000ff")
        }
        let picture = try #require(try block.picture(at: (0.5, 0), scale: (1, 1)))
        #expect(picture.width > 20_000 && picture.pixels.count == 4 * picture.width * picture.height)
        // The last letters are there.
        let last = (picture.width - 400..<picture.width).contains {
            picture.pixels[4 * (40 * picture.width + $0) + 3] > 0
        }
        #expect(last)
    }

    @Test func `emoji have colours, letters have the text's`() throws {
        let emoji = try #require(try Fonts.block("😀", size: 64).picture(at: (0, 0), scale: (1, 1)))
        #expect(opaque(emoji).contains { $0.0 > 200 && $0.2 < 100 })
        let red = try Fonts.block("H", size: 64) { $0.color = "#ff0000ff" }
        let letters = try #require(try red.picture(at: (0, 0), scale: (1, 1)))
        #expect(opaque(letters).count > 200)
        #expect(opaque(letters).allSatisfy { $0 == (255, 0, 0) })
    }

    @Test func `half the scale is half the picture`() throws {
        let block = try golden()
        let whole = try #require(try block.picture(at: (100, 50), scale: (1, 1)))
        let half = try #require(try block.picture(at: (100, 50), scale: (0.5, 0.5)))
        #expect(abs(half.width - whole.width / 2) <= 2)
        let (a, b) = (centre(whole), centre(half))
        #expect(abs(a.x / 2 - b.x) < 0.1)
        #expect(abs(a.y / 2 - b.y) < 0.1)
    }

    @Test func `a block moves by parts of a pixel`() throws {
        let block = try Fonts.block("Title", size: 40)
        let first = centre(try #require(try block.picture(at: (10, 10), scale: (1, 1))))
        for quarter in 1..<4 {
            let moved = try block.picture(at: (10 + Double(quarter) / 4, 10), scale: (1, 1))
            #expect(abs(centre(try #require(moved)).x - first.x - Double(quarter) / 4) < 0.02)
        }
    }

    @Test func `typing shows one cluster after the other, and nothing moves`() throws {
        let block = try Fonts.block("क्षत्रिय\nने", [Fonts.hindi], size: 64)
        let whole = try #require(try block.picture(at: (0, 0), scale: (1, 1)))
        var sums: [Int] = []
        for count in 0...block.clusterCount {
            let part = try #require(try block.picture(at: (0, 0), scale: (1, 1), shown: count))
            #expect((part.x, part.y, part.width, part.height) == (whole.x, whole.y, whole.width, whole.height))
            sums.append(part.pixels.reduce(0) { $0 + Int($1) })
        }
        #expect(sums.first == 0)
        #expect(sums == sums.sorted())
        #expect(Set(sums).count >= 5)
        #expect(sums.last == whole.pixels.reduce(0) { $0 + Int($1) })
    }

    @Test func `a text larger than any frame is refused`() throws {
        let block = try Fonts.block(String(repeating: "W", count: 2000), [Fonts.latin], size: 400)
        #expect(throws: TitleError.self) { try block.picture(at: (0, 0), scale: (1, 1)) }
    }

    private func opaque(_ picture: TextPicture) -> [(UInt8, UInt8, UInt8)] {
        stride(from: 0, to: picture.pixels.count, by: 4).filter { picture.pixels[$0 + 3] == 255 }
            .map { (picture.pixels[$0], picture.pixels[$0 + 1], picture.pixels[$0 + 2]) }
    }

    /// Centre of the alpha, in the frame.
    private func centre(_ picture: TextPicture) -> (x: Double, y: Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        for index in 0..<picture.width * picture.height {
            let alpha = Double(picture.pixels[4 * index + 3])
            sum += alpha
            x += alpha * (Double(index % picture.width) + 0.5)
            y += alpha * (Double(index / picture.width) + 0.5)
        }
        return (Double(picture.x) + x / sum, Double(picture.y) + y / sum)
    }
}
