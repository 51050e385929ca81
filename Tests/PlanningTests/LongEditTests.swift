import CompositionModel
import EditSamples
import Planning
import Testing

@testable import Timing

/// Ten hours of 5,000 cuts at 30000/1001: no frame and no sample may drift.
@Suite struct LongEditTests {
    static let clips = 5000

    private func compiled() throws -> Compiled {
        let rate = try FrameRate(30_000, 1001)
        let video = SampleAsset.video(rate: rate, seconds: 600, gop: 60)
        let assets = ["s": SampleAsset.asset("s", [video], [SampleAsset.audio(seconds: 600)])]
        // 215 or 216 frames each: 1,077,500 frames are 9 h 59 min.
        let items = (0..<LongEditTests.clips).map {
            "{ \"asset\": \"s\", \"in\": \"#\($0 % 9000)\", \"duration\": \"\(215 + $0 % 2)f\" }"
        }
        return try Compiled(editText(items, assets: ["s"], rate: "30000/1001"), assets)
    }

    @Test func everyPositionIsRoundedOnceFromItsAbsolutePlace() throws {
        let compiled = try compiled()
        let composition = try #require(compiled.composition)
        let plan = try compiled.plan()

        #expect(composition.frameCount == 2500 * 431)
        #expect(composition.videoTracks[0].segments.count == LongEditTests.clips)
        #expect(composition.instructions.count == 1)
        let sounds = composition.audioTracks[0].segments
        var frame: Int64 = 0
        for (index, segment) in composition.videoTracks[0].segments.enumerated() {
            #expect(segment.target.start == frame)
            frame += Int64(215 + index % 2)
            #expect(sounds[index].start == sample(segment.target.start))
            #expect(sounds[index].start + sounds[index].count == sample(frame))
        }
        #expect(plan.frameCount == frame)
        #expect(plan.sampleCount == sample(frame))
        #expect(plan.segments.map(\.frames.count).reduce(0, +) == frame)
        #expect(plan.segments.allSatisfy { (150...899).contains($0.frames.count) })
    }

    /// round(frame × 1001 / 30000 × 48000), half away from zero, in integers.
    private func sample(_ frame: Int64) -> Int64 { (frame * 1001 * 48_000 * 2 + 30_000) / 60_000 }
}
