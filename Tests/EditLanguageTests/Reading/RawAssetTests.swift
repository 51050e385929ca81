import Testing

@testable import CompositionModel
@testable import EditLanguage
@testable import Timing

/// `raw` of an asset, as far as the text shows it.
@Suite struct RawAssetTests {
    private func read(_ asset: String) -> EditReadResult {
        EditReader.read(
            """
            { "schema": "edit/1", "assets": { "a": \(asset) },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }] }
            """
        )
    }

    private func source(_ asset: String) -> AssetSource? {
        if case .edit(let edit) = read(asset).document { edit.assets["a"]?.value } else { nil }
    }

    @Test func picturesAndSoundAreDescribed() throws {
        let picture =
            #"{ "src": "x.yuv", "raw": { "pixelFormat": "yuv422p10le", "size": [64, 32], "frameRate": "25" } }"#
        let size = PictureSize(width: 64, height: 32)
        let expected = RawPicture(pixelFormat: .yuv422p10le, size: size, frameRate: try FrameRate(25))
        #expect(source(picture) == .raw("x.yuv", .picture(expected)) && expected.byteCount == 64 * 32 * 4)
        let sound = #"{ "src": "x.pcm", "raw": { "sampleFormat": "s24le", "sampleRate": 48000, "channels": 6 } }"#
        #expect(source(sound) == .raw("x.pcm", .sound(RawSound(sampleFormat: .s24le, sampleRate: 48_000, channels: 6))))
    }

    @Test(arguments: [
        (#"{ "pixelFormat": "yuv420", "size": [64, 32], "frameRate": "25" }"#, ["unknown-value"]),
        (#"{ "pixelFormat": "yuv420p", "size": [63, 32], "frameRate": "25" }"#, ["number-range"]),
        (#"{ "pixelFormat": "yuv420p", "size": [64, 40000], "frameRate": "25" }"#, ["number-range"]),
        (#"{ "pixelFormat": "yuv420p", "size": [64, 32], "frameRate": "2000" }"#, ["number-range"]),
        (#"{ "pixelFormat": "yuv420p", "frameRate": "25" }"#, ["missing-key"]),
        (#"{ "sampleFormat": "s16le", "sampleRate": 100, "channels": 2 }"#, ["number-range"]),
        (#"{ "sampleFormat": "s16le", "sampleRate": 48000, "channels": 9 }"#, ["number-range"]),
        (#"{ "sampleFormat": "s16le" }"#, ["missing-key", "missing-key"]),
        (#"{ "sampleFormat": "s16le", "size": [64, 32] }"#, ["contradiction"]), ("{}", ["contradiction"]),
        (#"{ "pixelformat": "yuv420p" }"#, ["unknown-key", "contradiction"]),
    ])
    func whatIsWrongIsFound(raw: String, rules: [String]) {
        let findings = read(#"{ "src": "x.yuv", "raw": \#(raw) }"#).findings
        #expect(findings.map(\.rule).sorted() == rules.sorted(), "\(findings)")
    }

    @Test func aRawFileIsAPath() {
        let raw = #""raw": { "pixelFormat": "gray", "size": [64, 32], "frameRate": "25" }"#
        #expect(read(#"{ "src": "https://x.org/a.yuv", \#(raw) }"#).findings.map(\.rule) == ["contradiction"])
        #expect(read(#"{ "src": "a.yuv", "frameRate": "25", \#(raw) }"#).findings.map(\.rule) == ["contradiction"])
    }

    /// Bytes of a frame against libavutil's, which the formats are named after.
    @Test func framesHaveTheRightLength() {
        let pixels = 64 * 32
        let bits: [RawPixelFormat: Int] = [
            .yuv420p: 12, .yuv422p: 16, .yuv444p: 24, .yuva420p: 20, .gray: 8, .nv12: 12, .nv21: 12, .yuyv422: 16,
            .uyvy422: 16, .rgb24: 24, .bgr24: 24, .rgba: 32, .bgra: 32, .argb: 32, .abgr: 32, .gbrp: 24, .rgb48le: 48,
            .rgba64le: 64, .yuv420p10le: 24, .yuv422p10le: 32, .yuv444p10le: 48, .yuv420p12le: 24, .yuv422p12le: 32,
            .yuv444p12le: 48, .yuv420p16le: 24, .yuv422p16le: 32, .yuv444p16le: 48, .gray10le: 16, .gray16le: 16,
        ]
        for format in RawPixelFormat.allCases {
            let halves = format.halfBytes
            #expect(halves * pixels / 2 == (bits[format] ?? 0) * pixels / 8, "\(format)")
        }
    }
}
