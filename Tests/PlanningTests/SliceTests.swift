import EditLanguage
import EditSamples
import Testing

@testable import CompositionModel
@testable import Planning
@testable import Timing

/// What a segment's task holds, and what it leaves out.
@Suite struct SliceTests {
    private static func twoTracks(_ top: String, fit: String = "contain") -> String {
        """
        { "schema": "edit/1", "format": { "size": [1280, 720], "frameRate": "25" },
          "assets": { "low": "low.mp4", "top": "top.mp4" },
          "tracks": [ { "kind": "video", "segments": [ { "asset": "low", "duration": "8s" } ] },
                      { "kind": "video", "segments": [ \(top) ] } ] }
        """
    }

    private func layers(_ top: VideoStreamFacts, _ item: String) throws -> [SliceLayer] {
        let assets = ["low": SampleAsset.minute("low"), "top": SampleAsset.asset("top", [top])]
        return try Compiled(SliceTests.twoTracks(item), assets).plan().segments[0].task.instructions[0].layers
    }

    static let item = #"{ "asset": "top", "duration": "8s" }"#

    @Test func whatAnOpaqueFullFrameCoversIsLeftOut() throws {
        let full = SampleAsset.video(rate: try FrameRate(25), seconds: 20)
        #expect(try layers(full, SliceTests.item).count == 1)
        let scaled = SampleAsset.video(rate: try FrameRate(25), seconds: 20, width: 640, height: 360)
        #expect(try layers(scaled, SliceTests.item).count == 1)
        let tall = SampleAsset.video(rate: try FrameRate(25), seconds: 20, width: 720, height: 1280)
        #expect(try layers(tall, #"{ "asset": "top", "duration": "8s", "fit": "cover" }"#).count == 1)
        let turned = SampleAsset.video(
            rate: try FrameRate(25),
            seconds: 20,
            width: 720,
            height: 1280,
            orientation: Orientation(degrees: 90, isMirrored: false)
        )
        #expect(try layers(turned, SliceTests.item).count == 1)
    }

    @Test func whatMayBeSeenStays() throws {
        let tall = SampleAsset.video(rate: try FrameRate(25), seconds: 20, width: 720, height: 1280)
        #expect(try layers(tall, SliceTests.item).count == 2)
        let clear = SampleAsset.video(rate: try FrameRate(25), seconds: 20, pixelFormat: "yuva420p")
        #expect(try layers(clear, SliceTests.item).count == 2)
        let wide = SampleAsset.video(rate: try FrameRate(25), seconds: 20, pixelAspect: try RationalTime(4, 3))
        #expect(try layers(wide, SliceTests.item).count == 2)
        let full = SampleAsset.video(rate: try FrameRate(25), seconds: 20)
        let small = SampleAsset.video(rate: try FrameRate(25), seconds: 20, width: 640, height: 360)
        #expect(try layers(small, #"{ "asset": "top", "duration": "8s", "fit": "none" }"#).count == 2)
        #expect(try layers(full, #"{ "asset": "top", "duration": "8s", "fit": "none" }"#).count == 1)
        // A dissolve from the background shows what lies below.
        let fade = #"{ "transition": "dissolve", "duration": "1s" }, "# + SliceTests.item
        let faded = try layers(full, fade)
        #expect(faded.count == 2 && faded[1].from == nil && faded[1].to != nil)
    }

    @Test func oneContentUnderTwoNamesIsOneAsset() throws {
        let one = SampleAsset.minute("one")
        let text = editText(
            [#"{ "asset": "x", "duration": "2s" }"#, #"{ "asset": "y", "in": "9s", "duration": "2s" }"#],
            assets: ["x", "y"]
        )
        let compiled = try Compiled(text, ["x": one, "y": one])
        #expect(compiled.composition?.assets.count == 2)
        #expect(try compiled.plan().segments[0].task.assets == [one.digest])
    }

    @Test func equalSlicesHaveEqualKeysWhereverTheyStand() throws {
        let assets = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b")]
        func keys(_ items: [String]) throws -> [ContentDigest] {
            try Compiled(editText(items, assets: ["a", "b"]), assets).plan().segments.map(\.key)
        }
        let a = #"{ "asset": "a", "in": "3s", "duration": "6s" }"#
        let b = #"{ "asset": "b", "in": "1s", "duration": "6s" }"#
        let keys = try keys([a, b, a, b])
        #expect(keys.count == 4)
        // Nothing past a cut is seen: what follows there changes no key.
        #expect(keys[0] == keys[2] && keys[1] == keys[3])
        #expect(Set(keys).count == 2)
    }

    @Test func everythingThatMakesBytesIsInTheKey() throws {
        let assets = ["a": SampleAsset.minute("a")]
        let text = editText([#"{ "asset": "a", "duration": "4s" }"#], assets: ["a"])
        let task = try Compiled(text, assets).plan().segments[0].task
        var others: [PictureTask] = Array(repeating: task, count: 8)
        others[0].encoding.crfThousandths = 21_000
        others[1].rendererVersion += 1
        others[2].background = "#000001"
        others[3].frameCount -= 1
        others[4].postRollCount += 1
        others[5].assets = [SampleAsset.digest("b")]
        others[6].instructions[0].layers[0].from?.start = try RationalTime(1, 25)
        others[7].color.isFullRange = true
        #expect(Set(try ([task] + others).map { try $0.key() }).count == 9)
    }

    @Test func soundNamesOnlyWhatIsHeard() throws {
        let assets = ["a": SampleAsset.minute("a"), "b": SampleAsset.minute("b"), "m": SampleAsset.minute("m")]
        let text = """
            { "schema": "edit/1", "assets": { "a": "a", "b": "b", "m": "m" }, "tracks": [
              { "kind": "video", "segments": [ { "asset": "a", "duration": "6s" },
                                               { "asset": "b", "duration": "6s", "sound": false } ] },
              { "kind": "audio", "segments": [ { "asset": "m", "duration": "12s", "volume": 0 } ] } ] }
            """
        let sound = try #require(try Compiled(text, assets).plan().sound)
        #expect(sound.assets == [SampleAsset.digest("a")])
        #expect(sound.tracks.count == 1 && sound.sampleCount == 12 * 48_000)
    }
}
