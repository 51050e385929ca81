import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// `"blending": "frames"`: what is shown between two frames of a source.
@Suite struct FrameBlendingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Frame n is a flat grey of code value 16 + 8n.
    private func greys(_ name: String, rate: String, frames: Int, _ options: [String] = []) async throws -> TestMovie {
        try await TestMovie.make(
            name,
            in: folder,
            ["-f", "lavfi", "-i", "color=gray:s=32x32:r=\(rate),format=yuv420p,geq=lum=16+8*N:cb=128:cr=128"]
                + ["-frames:v", "\(frames)", "-c:v", "ffv1"] + TestPattern.bt709 + options
        )
    }

    private func text(_ item: String, rate: String = "25") -> String {
        """
        { "schema": "edit/1", "format": { "size": [32, 32], "frameRate": "\(rate)", "sampleRate": 48000 },
          "assets": { "a": "a.mkv" }, "tracks": [{ "kind": "video", "segments": [ \(item) ] }] }
        """
    }

    private func lumas(_ edit: PlannedEdit) throws -> [Int] { try edit.frames().map { Int($0[500]) } }

    @Test(arguments: [("1/3", 1.0 / 3), ("3/4", 0.75), ("1", 1), ("3/2", 1.5)])
    func slowMotionShowsTheMeanByTime(speed: String, step: Double) async throws {
        let movie = try await greys("a.mkv", rate: "25", frames: 24)
        let item = #"{ "asset": "a", "duration": "15f", "speed": "\#(speed)", "blending": "frames" }"#
        let edit = try PlannedEdit(text(item), ["a": movie])
        for (frame, luma) in try lumas(edit).enumerated() {
            let exact = 16 + 8 * Double(frame) * step
            #expect(abs(Double(luma) - exact) <= 0.5 + 1e-3, "frame \(frame): \(luma), not \(exact)")
        }
        #expect(try edit.firstDifference() == nil)
    }

    @Test func backwardsShowsTheSameInOppositeOrder() async throws {
        let movie = try await greys("a.mkv", rate: "24", frames: 24)
        func lumas(_ words: String) throws -> [Int] {
            let item = #"{ "asset": "a", "range": ["0.1s", "0.8s"], "blending": "frames"\#(words) }"#
            return try self.lumas(try PlannedEdit(text(item), ["a": movie]))
        }
        let forwards = try lumas("")
        #expect(try lumas(#", "speed": -1"#) == forwards.reversed())
        #expect(forwards.count == 20 && Set(forwards).count == 20)
        for (frame, luma) in forwards.enumerated() {
            let exact = 16 + 8 * 24 * (0.1 + Double(frame) / 25)
            #expect(abs(Double(luma) - exact) <= 0.51, "frame \(frame): \(luma), not \(exact)")
        }
    }

    /// Without the word each frame shows one of the source's; at the source's own rate the word changes nothing.
    @Test func offMeansWholeFrames() async throws {
        let movie = try await greys("a.mkv", rate: "24", frames: 24)
        let plain = try lumas(try PlannedEdit(text(#"{ "asset": "a", "duration": "20f" }"#), ["a": movie]))
        #expect(plain.allSatisfy { ($0 - 16) % 8 == 0 })
        let same = #"{ "asset": "a", "duration": "20f", "blending": "frames" }"#
        let (with, without) = try (
            PlannedEdit(text(same, rate: "24"), ["a": movie]).frames(),
            PlannedEdit(text(#"{ "asset": "a", "duration": "20f" }"#, rate: "24"), ["a": movie]).frames()
        )
        #expect(with == without)
    }

    /// Frames last 40, 80 and 120 ms in turn.
    @Test func variableRatesAreWeighedByTheirOwnTimes() async throws {
        let times = "setpts='(floor(N/3)*6+mod(N,3)*(mod(N,3)+1)/2)/(25*TB)'"
        let movie = try await greys("a.mkv", rate: "25", frames: 12, ["-vf", times, "-fps_mode", "vfr"])
        let facts = try #require(movie.facts.video.first)
        #expect(facts.isVariableRate)
        let ticks = try #require(facts.frameTimes).map { Double($0) * facts.timeBase.approximateSeconds }
        let edit = try PlannedEdit(
            text(#"{ "asset": "a", "duration": "40f", "speed": "1/2", "blending": "frames" }"#),
            ["a": movie]
        )
        for (frame, luma) in try lumas(edit).enumerated() {
            let time = Double(frame) / 50
            let shown = try #require(ticks.lastIndex { $0 <= time + 1e-9 })
            let part = shown + 1 < ticks.count ? (time - ticks[shown]) / (ticks[shown + 1] - ticks[shown]) : 0
            let exact = 16 + 8 * (Double(shown) + part)
            #expect(abs(Double(luma) - exact) <= 0.51, "frame \(frame): \(luma), not \(exact)")
        }
        #expect(try edit.firstDifference() == nil)
    }

    /// Frames last 3 and 6 ms in turn; each is shown less than a millisecond early, and blended until its time.
    @Test func framesThatAreReachedEarlyAreStillBlended() async throws {
        let times = "settb=1/1000,setpts='floor(N/2)*9+mod(N,2)*3'"
        let movie = try await greys("a.mkv", rate: "1000", frames: 12, ["-vf", times, "-fps_mode", "passthrough"])
        let facts = try #require(movie.facts.video.first)
        let ticks = try #require(facts.frameTimes)
        #expect(ticks == [0, 3, 9, 12, 18, 21, 27, 30, 36, 39, 45, 48])
        let item = #"{ "asset": "a", "duration": "50f", "speed": "9/10", "blending": "frames" }"#
        let edit = try PlannedEdit(text(item, rate: "1000"), ["a": movie])
        for (frame, luma) in try lumas(edit).enumerated() {
            let time = Double(frame) * 0.9
            let shown = try #require(ticks.lastIndex { Double($0) <= time + 1e-9 })
            let (start, end) = (Double(ticks[shown]), Double(ticks[shown + 1]))
            let part: Double = (time - start) / (end - start)
            let exact: Double = 16 + 8 * (Double(shown) + part)
            #expect(abs(Double(luma) - exact) <= 0.51, "frame \(frame): \(luma), not \(exact)")
        }
        #expect(try edit.firstDifference() == nil)
    }

    /// What is transparent in one of two frames has no colour in their mean.
    @Test func alphaWeighsColours() async throws {
        let movie = try await TestMovie.make(
            "a.mov",
            in: folder,
            [
                "-f", "lavfi", "-i",
                "color=red@1:s=32x32:r=25,format=rgba,geq=r='if(N,0,255)':g='if(N,255,0)':b=0:a='if(N,0,255)'",
            ]
                + ["-frames:v", "3", "-c:v", "qtrle", "-pix_fmt", "argb"]
        )
        let item = #"{ "asset": "a", "duration": "2f", "speed": "1/2", "blending": "frames" }"#
        let frame = try PlannedEdit(text(item), ["a": movie]).frames()[1]
        // Half of red over black, and nothing of the green that cannot be seen.
        #expect(abs(Int(frame[500]) - 40) <= 2 && abs(Int(frame[1024 + 256 + 100]) - 184) <= 2, "\(frame[500])")
    }
}
