import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Seeded random edits of everything that the language has: the same coded frames for any number of segments.
///
/// `CUTFARM_THOROUGH=1` renders 200 and wants a border inside each feature's span five times. `CUTFARM_SEED=17` renders
/// that one alone, `201-300` those. What fails is left in a folder of its own, with its media, to be rendered again.
@Suite(.enabled(if: RandomMedia.hasFonts, "DejaVu and Noto fonts are needed"))
struct RandomEditTests {
    private static let counts = [1, 2, 7, 31]
    private static let seeds = TestSeeds.asked(usual: 20, thorough: 200)

    @Test func anyNumberOfSegmentsGivesTheSameFrames() async throws {
        let media = try await RandomEditMedia()
        var table = FeatureTable()
        // One after the other: a render child is one thread, and Pango and Cairo are not asked for more.
        for seed in Self.seeds {
            let edit = RandomEdit(seed: seed)
            table.count(edit, borders: Self.check(edit, media))
            await Task.yield()
        }
        print(table.text(Array(Self.counts.dropFirst())))
        if TestSeeds.isThorough, Self.seeds.count >= 200 { #expect(table.rare(5).isEmpty) }
    }

    /// Of an every day's run and of a thorough one, without rendering.
    @Test func everyFeatureOccurs() {
        let few = RandomEdit.missing(from: (1...20).map { RandomEdit(seed: $0) })
        #expect(few.filter(Set(RandomEdit.common).contains).isEmpty, "\(few)")
        #expect(RandomEdit.missing(from: (1...200).map { RandomEdit(seed: $0) }).isEmpty)
    }

    /// - Returns: by number of segments the frames at which they begin.
    private static func check(_ edit: RandomEdit, _ media: RandomEditMedia) -> [Int: [Int]] {
        do {
            let plans = try media.plans(edit.text, segments: counts, size: edit.outputSize)
            let found = difference(edit, plans, try plans.map { try frames($0, media) })
            if let found { fail(edit, found, media) }
            try checkSound(edit, plans, media)
            if edit.isH264 { try checkH264(edit, media) }
            let borders = plans.map { plan in plan.segments.dropFirst().map { Int($0.frames.start) } }
            return Dictionary(uniqueKeysWithValues: zip(counts, borders))
        } catch {
            fail(edit, "\(error)", media)
            return [:]
        }
    }

    /// What is not as it should be, as a sentence.
    private static func difference(_ edit: RandomEdit, _ plans: [RenderPlan], _ frames: [[ContentDigest]]) -> String? {
        guard frames[0].count == edit.frameCount else { return "\(frames[0].count) frames, not \(edit.frameCount)" }
        // Pictures that never change would always be equal.
        guard Set(frames[0]).count > edit.frameCount / 4 else { return "only \(Set(frames[0]).count) pictures" }
        for (plan, found) in zip(plans, frames) {
            guard found.count == frames[0].count else { return "\(found.count) frames in \(plan.segments.count) parts" }
            if let frame = found.indices.first(where: { found[$0] != frames[0][$0] }) {
                return "frame \(frame) is another in \(plan.segments.count) segments"
            }
        }
        return zip(counts, plans).allSatisfy { $0 == $1.segments.count } ? nil : "not as many segments as asked"
    }

    /// A digest of each coded frame of the packet files that a farm would stitch: FFV1 codes every frame by itself.
    private static func frames(_ plan: RenderPlan, _ media: RandomEditMedia) throws -> [ContentDigest] {
        let path = media.folder.path("part-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try plan.segments.flatMap { segment in
            let sources = try media.sources(segment.task.assets)
            _ = try SegmentRenderer.render(segment.task, sources: sources, to: path, progress: { _ in }) {
                Issue.record("warned of whole media: \($0.message)")
            }
            let reader = try PacketFileReader(path: path)
            var digests: [ContentDigest] = []
            while let packet = try reader.next() { digests.append(ContentDigest(of: packet.data)) }
            return digests
        }
    }

    /// The whole sound is one task whatever the segments, and as many pieces have its samples.
    private static func checkSound(_ edit: RandomEdit, _ plans: [RenderPlan], _ media: RandomEditMedia) throws {
        if !plans.allSatisfy({ $0.sound == plans[0].sound }) { fail(edit, "another sound task", media) }
        guard let task = plans[0].sound else { return fail(edit, "no sound", media) }
        let sound = try RenderedSound(task, sources: media.sources(task.assets), in: media.folder)
        if sound.steps.allSatisfy({ $0 == 0 }) { fail(edit, "silence", media) }
        for plan in plans where plan.soundPieces.count == 7 || TestSeeds.isThorough {
            let pieces = try plan.soundPieces.flatMap { piece in
                try RenderedSound(piece.task, sources: media.sources(piece.task.assets), in: media.folder).steps
            }
            if pieces != sound.steps { fail(edit, "another sound in \(plan.soundPieces.count) pieces", media) }
        }
        if !zip(counts, plans).allSatisfy({ $0 == $1.soundPieces.count }) { fail(edit, "not so many pieces", media) }
    }

    /// H.264 codes a frame by those before it: each segment has the packets of an encoder that sees the whole edit's own
    /// pictures, those behind the segment too.
    private static func checkH264(_ edit: RandomEdit, _ media: RandomEditMedia) throws {
        let plans = try media.plans(edit.text, segments: [1, 5], size: edit.outputSize, preset: "h264")
        guard let whole = plans[0].segments.first?.task else { return fail(edit, "no segment", media) }
        for (number, segment) in plans[1].segments.enumerated() {
            let path = media.folder.path("h264-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let sources = try media.sources(segment.task.assets)
            _ = try SegmentRenderer.render(segment.task, sources: sources, to: path) { _ in }
            let expected = try SegmentOracle.packets(of: segment, whole: whole) { try media.sources(whole.assets) }
            if try SegmentOracle.packets(path) != expected { fail(edit, "H.264 segment \(number) of 5 differs", media) }
        }
    }

    /// Leaves the edit and its media where they can be rendered again.
    private static func fail(_ edit: RandomEdit, _ sentence: String, _ media: RandomEditMedia) {
        let kept = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-random-edit-\(edit.seed)")
        try? FileManager.default.removeItem(at: kept)
        try? FileManager.default.copyItem(at: media.folder.url, to: kept)
        try? Data(edit.text.utf8).write(to: kept.appendingPathComponent("edit.json"))
        Issue.record("seed \(edit.seed): \(sentence); see \(kept.path)/edit.json")
    }
}
