import EditSamples
import Testing

@testable import Planning
@testable import Timing

@Suite struct NearKeyframesTests {
    /// A clip of four seconds with a keyframe a second, then the same from between two of them.
    @Test func aClipsFirstFrameCountsWhereItIsAKeyframe() throws {
        let rate = try FrameRate(25)
        let video = SampleAsset.video(rate: rate, seconds: 4, gop: 25)
        let text = """
            { "schema": "edit/1", "format": { "size": [64, 36], "frameRate": "25" }, "assets": { "a": "a" }, "tracks": [
              { "kind": "video", "segments": [ { "asset": "a" }, { "asset": "a", "in": "12f", "duration": "20f" } ] } ] }
            """
        let compiled = try Compiled(text, ["a": SampleAsset.asset("a", [video])])
        let near = try NearKeyframes(try #require(compiled.composition), facts: compiled.facts)
        #expect(near.frames == [0, 25, 50, 75, 113])
        #expect(near.nearest(to: 9, within: 12) == 0)
        #expect(near.nearest(to: 102, within: 3) == nil)
    }
}
