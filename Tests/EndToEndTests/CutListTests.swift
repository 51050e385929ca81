import Foundation
import Planning
import TestSupport
import Testing
import Timing

/// Random cut lists over sources of every awkward kind, through one farm; each frame of the result read by the number
/// in its picture.
@Suite(.serialized)
struct CutListTests {
    private static let isThorough = ProcessInfo.processInfo.environment["CUTFARM_THOROUGH"] != nil
    private static let seeds = 1...(isThorough ? 200 : 20)

    @Test func everyFrameIsTheRightOne() async throws {
        let cutfarm = try Cutfarm()
        var movies: [NumberedMovie] = []
        for recipe in NumberedMovie.recipes {
            movies.append(try await NumberedMovie.make(recipe, in: cutfarm.folder))
        }
        let lists = Self.seeds.map { CutList(seed: $0, movies: movies) }
        try await render(lists, movies, cutfarm)
        var reasons: Set<BorderReason> = []
        for (seed, list) in zip(Self.seeds, lists) {
            try await check(cutfarm.folder.path("\(seed).mkv"), list, seed, movies)
            reasons.formUnion(try await checkBorders(cutfarm, list, seed, movies))
        }
        #expect(reasons == [.cut, .transition, .keyframe, .length, .middle])
    }

    private func render(_ lists: [CutList], _ movies: [NumberedMovie], _ cutfarm: Cutfarm) async throws {
        var manifest = ""
        for (seed, list) in zip(Self.seeds, lists) {
            _ = try cutfarm.write("\(seed).json", list.text(movies))
            manifest += "{\"edit\": \"\(seed).json\", \"output\": \"\(seed).mkv\"}\n"
        }
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one"), farm.worker("two")]
        let outcome = try await farm.run(
            "submit",
            "--manifest",
            try cutfarm.write("all.jsonl", manifest),
            "--watch",
            "--state",
            cutfarm.state
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        try await farm.stop(workers)
    }

    private func check(_ path: String, _ list: CutList, _ seed: Int, _ movies: [NumberedMovie]) async throws {
        let rows = try await Shell.ffmpeg([
            "-i", path, "-vf", "crop=256:2:0:32,extractplanes=y", "-fps_mode", "passthrough", "-f", "rawvideo", "-",
        ])
        #expect(rows.count == list.frameCount * Self.width, "seed \(seed): \(rows.count / Self.width) frames")
        let wrong = wrong(rows, list, movies)
        #expect(wrong.isEmpty, "seed \(seed): \(wrong.count) wrong: \(wrong.prefix(5))")
        #expect(!self.wrong(rows, list, movies, late: 1).isEmpty, "seed \(seed): a frame too late is not seen")
    }

    /// Bytes of a frame in what ``check(_:_:_:_:)`` reads: two rows, of which the first is looked at.
    private static let width = 512

    /// What is not as predicted. Sources are coded with loss: a block may be a few code values off, a wrong frame is
    /// 219 off in one.
    /// - Parameter late: frames by which the movie is taken to be late.
    private func wrong(_ rows: Data, _ list: CutList, _ movies: [NumberedMovie], late: Int = 0) -> [String] {
        var wrong: [String] = []
        for frame in 0..<min(list.frameCount, rows.count / Self.width) - late {
            let expected = list.blocks(at: frame, movies)
            for block in 0..<NumberedMovie.blocks {
                guard let predicted = expected[block] else { continue }
                let middle = rows.startIndex + (frame + late) * Self.width + block * 16 + 6
                let value = rows[middle..<middle + 4].reduce(0.0) { $0 + Double($1) } / 4
                guard abs(value - predicted) > 14 else { continue }
                wrong.append("frame \(frame) block \(block): \(value), not \(predicted)")
            }
        }
        return wrong
    }

    /// - Returns: why segments begin, the first left out.
    private func checkBorders(
        _ cutfarm: Cutfarm,
        _ list: CutList,
        _ seed: Int,
        _ movies: [NumberedMovie]
    ) async throws -> Set<BorderReason> {
        let plan = try #require(try await cutfarm.plans(of: cutfarm.folder.path("\(seed).json")).first)
        #expect(plan.frameCount == Int64(list.frameCount))
        #expect(plan.segments.first?.startBorder == .edge && plan.segments.last?.endBorder == .edge)
        // Two halves of what would be one segment may have two seconds.
        let shortest = Exact(plan.segments.count == 2 ? 2 : 5)
        var at: Int64 = 0
        for segment in plan.segments {
            #expect(segment.frames.start == at && segment.frames.count > 0)
            let seconds = list.rate.time(Int(segment.frames.count))
            #expect(seconds <= Exact(30) && (plan.segments.count == 1 || seconds >= shortest), "seed \(seed), \(at)")
            at = segment.frames.start + segment.frames.count
        }
        #expect(at == plan.frameCount)
        for (before, after) in zip(plan.segments, plan.segments.dropFirst()) {
            #expect(before.endBorder == after.startBorder)
            let frame = Int(after.frames.start)
            let isRight = isTrue(after.startBorder, at: frame, list, movies)
            #expect(isRight, "seed \(seed), \(after.startBorder) at \(frame)")
        }
        return Set(plan.segments.dropFirst().map(\.startBorder))
    }

    private func isTrue(_ reason: BorderReason, at frame: Int, _ list: CutList, _ movies: [NumberedMovie]) -> Bool {
        switch reason {
        case .cut: list.cuts.contains(frame)
        case .transition: list.transitionEdges.contains(frame) || list.uncoversTransition(at: frame)
        case .keyframe: list.showsEntry(frame, movies)
        case .length: list.passesTenSeconds(frame)
        case .middle: list.isMiddle(frame)
        case .edge, .forced: false
        }
    }
}
