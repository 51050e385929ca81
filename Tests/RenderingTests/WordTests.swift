import Media
import Planning
import Rendering
import TestSupport
import Testing

/// Every word that the random edits use changes a frame: none is read, checked, stored and then forgotten.
@Suite(.enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct WordTests {
    @Test func everyWordIsSeen() async throws {
        let media = try await RandomEditMedia()
        var silent: [String] = []
        for pair in WordPair.all {
            // A parameter may happen to do next to nothing.
            let isSeen = try (1...4).contains { seed in
                let (without, with) = pair.texts(seed: seed)
                return try differ(without, with, media)
            }
            if !isSeen { silent.append(pair.name) }
        }
        #expect(silent.isEmpty)
        #expect(WordPair.all.count > 150)
    }

    private func differ(_ first: String, _ second: String, _ media: RandomEditMedia) throws -> Bool {
        let (before, after) = try (compositor(first, media), compositor(second, media))
        return try (0..<12).reversed().contains { frame in
            try before.picture(at: frame).digest() != after.picture(at: frame).digest()
        }
    }

    private func compositor(_ text: String, _ media: RandomEditMedia) throws -> Compositor {
        let task = try #require(try media.plans(text, segments: [1]).first?.segments.first?.task)
        return try Compositor(task: task, sources: media.sources(task.assets))
    }
}
