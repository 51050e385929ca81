import CompositionModel
import Testing
import Timing

@testable import CLI

/// What `probe` prints for people.
@Suite struct FactsTextTests {
    private func text(
        frames: Int64,
        keyframes: [Int64],
        hidden: Int64? = nil,
        _ change: (inout AssetFacts) -> Void = { _ in }
    ) throws -> String {
        let stream = VideoStreamFacts(
            streamIndex: 0,
            codec: "h264",
            profile: nil,
            width: 64,
            height: 64,
            pixelFormat: "yuv420p",
            pixelAspect: RationalTime(whole: 1),
            orientation: .upright,
            color: .bt709,
            timeBase: try RationalTime(1, 25),
            frameRate: try FrameRate(25),
            isVariableRate: false,
            frameCount: frames,
            hiddenFrameCount: hidden,
            duration: try RationalTime(frames, 25),
            keyframes: keyframes,
            language: nil,
            isDefault: true
        )
        var facts = AssetFacts(container: "mov", byteCount: 1, video: [stream], audio: [])
        change(&facts)
        return FactsText.text(facts, file: "a.mov", digest: ContentDigest(of: [UInt8]()))
    }

    @Test func keyframesAndHowFarApart() throws {
        #expect(
            try text(frames: 100, keyframes: [0, 50]).contains("100 frames, 4 s, 2 keyframes, at most 50 frames apart,")
        )
        #expect(try text(frames: 100, keyframes: [0, 10]).contains("at most 90 frames apart"))
        #expect(try text(frames: 100, keyframes: [0]).contains(", 1 keyframe, "))
        #expect(try text(frames: 3, keyframes: [0, 1, 2]).contains("each a keyframe"))
    }

    @Test func onlyOneIsNotMany() throws {
        let text = try text(frames: 1, keyframes: [0], hidden: 1)
        #expect(
            text.contains("1 byte,") && text.contains("1 frame, ") && text.contains("1 frame hidden by the edit list")
        )
        #expect(!text.contains("1 frames") && !text.contains("1 bytes"))
    }

    @Test(arguments: [0, nil] as [Int64?]) func whatIsNotHiddenIsNotSpokenOf(hidden: Int64?) throws {
        #expect(try !text(frames: 5, keyframes: [0], hidden: hidden).contains("hidden"))
    }

    @Test func fieldsColourAndArtworkAreNamed() throws {
        let plain = try text(frames: 5, keyframes: [0])
        #expect(plain.contains("bt709 limited, default") && !plain.contains("interlaced") && !plain.contains("artwork"))
        let woven = try text(frames: 5, keyframes: [0]) { facts in
            facts.video[0].firstField = .bottom
            facts.video[0].isColorGuessed = true
            facts.artwork = [ArtworkFacts(codec: "mjpeg", size: PictureSize(width: 600, height: 500))]
        }
        #expect(woven.contains("interlaced, bottom field first"))
        #expect(woven.contains("bt709 limited (bt709 is guessed from its height: the file does not say it)"))
        #expect(woven.contains("\n  artwork, which no track shows: mjpeg, 600×500"))
        for (transfer, word) in [("smpte2084", "PQ"), ("arib-std-b67", "HLG")] {
            let bright = try text(frames: 5, keyframes: [0]) { $0.video[0].color.transfer = transfer }
            #expect(bright.contains("(\(word), mapped to BT.709)"))
        }
    }
}
