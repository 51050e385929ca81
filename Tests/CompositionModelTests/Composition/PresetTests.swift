import EditSamples
import Testing

@testable import CompositionModel
@testable import Timing

@Suite struct PresetTests {
    private func settings(_ name: String, _ width: Int, _ height: Int, rate: FrameRate) throws -> OutputSettings {
        let format = Format(
            size: PictureSize(width: width, height: height),
            frameRate: rate,
            sampleRate: 48_000,
            channels: 2,
            color: .bt709,
            background: "#000000"
        )
        let preset = try #require(PresetCatalog.preset(named: name))
        return preset.settings(for: format, file: nil, range: nil, picture: true, sound: true)
    }

    @Test(arguments: [
        ("h264", 1920, 1080, 1920, 1080), ("h264-720p", 1920, 1080, 1280, 720), ("h264-720p", 640, 360, 640, 360),
        ("h264-480p", 1920, 1080, 854, 480), ("h264-480p", 1080, 1920, 270, 480), ("h264-540p", 2048, 858, 960, 402),
        ("h264-1080p", 4096, 2160, 1920, 1012), ("h264-2160p", 8192, 4320, 3840, 2026),
        ("h264-480p", 16_000, 2, 854, 2),
        ("lossless", 4096, 2160, 4096, 2160),
    ])
    func picturesFitIntoTheirBox(name: String, width: Int, height: Int, outWidth: Int, outHeight: Int) throws {
        let size = try settings(name, width, height, rate: FrameRate(25)).size
        #expect(size == PictureSize(width: outWidth, height: outHeight))
    }

    @Test(arguments: [
        (101, 101, 57), (99, 99, 56), (33, 33, 19), (1, 1, 1), (100, 57, 56), (320, 180, 180), (640, 360, 180),
    ])
    func stillsAreNeverLargerThanTheirBox(boxWidth: Int, boxHeight: Int, height: Int) {
        let size = PictureSize(width: 320, height: 180).scaled(into: PictureSize(width: boxWidth, height: boxHeight))
        #expect(size == PictureSize(width: min(boxWidth, 320), height: height))
        #expect(size.width <= boxWidth && size.height <= boxHeight)
    }

    @Test func h264IsPinned() throws {
        let settings = try settings("h264", 1280, 720, rate: FrameRate(30_000, 1001))
        #expect(
            settings.video
                == VideoEncoding(
                    codec: .h264,
                    speed: "medium",
                    crfThousandths: 20_000,
                    keyframeInterval: 60,
                    postRoll: 20
                )
        )
        #expect(settings.audio == AudioEncoding(codec: .aac, bitRate: 192_000))
        #expect(settings.container == .mp4)
    }

    /// Two channels have the preset's rate, more of them 64 kbit/s each, as far as the codec goes.
    @Test(arguments: [
        ("h264", 2, 192_000), ("h264", 6, 384_000), ("aac", 8, 512_000), ("ac3", 6, 448_000), ("opus", 1, 128_000),
    ])
    func bitRatesFollowTheChannels(name: String, channels: Int, rate: Int) throws {
        let format = Format(
            size: PictureSize(width: 64, height: 36),
            frameRate: try FrameRate(25),
            sampleRate: 48_000,
            channels: channels,
            color: .bt709,
            background: "#000000"
        )
        let preset = try #require(PresetCatalog.preset(named: name))
        let settings = preset.settings(for: format, file: nil, range: nil, picture: true, sound: true)
        #expect(settings.audio?.bitRate == rate)
    }

    @Test func losslessIsIntraAndNeedsNoPostRoll() throws {
        let settings = try settings("lossless", 1280, 720, rate: FrameRate(25))
        #expect(
            settings.video?.codec == .ffv1 && settings.video?.keyframeInterval == 1 && settings.video?.postRoll == 0
        )
        #expect(settings.audio?.codec == .pcm24 && settings.container == .matroska)
    }

    @Test func everyPresetMakesAValidOutput() throws {
        for preset in PresetCatalog.all {
            let text = editText(
                [#"{ "asset": "a", "duration": "4s" }"#],
                assets: ["a"],
                outputs: "[{ \"preset\": \"\(preset.name)\" }]"
            )
            let compiled = try Compiled(text, ["a": SampleAsset.copyable("a")])
            #expect(compiled.errors.isEmpty)
            #expect(compiled.composition?.findings() == [])
        }
    }
}
