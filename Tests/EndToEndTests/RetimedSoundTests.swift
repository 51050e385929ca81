import Foundation
import TestSupport
import Testing

/// Flashes and beeps under a speed that changes, measured in the decoded movie: at a thousand frames a second a flash
/// is known to a millisecond, and its beep is where the flash is.
///
/// ```
/// speed    1 ──╱ 2 ──╲ 0.5        source  | . | . | . | . |      a flash and a beep every 0.25 s
/// picture  |  .  | . |.|.| .  |  .   |    sound: the same
/// ```
struct RetimedSoundTests {
    private static let sampleRate = 48_000
    private static let frameRate = 1000

    @Test(arguments: ["follow", "keep"])
    func flashAndBeepStayTogether(pitch: String) async throws {
        let cutfarm = try Cutfarm()
        let way = "(mod(t,0.25)-0.125)"
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i",
                "color=black:s=32x32:r=\(Self.frameRate):d=5,geq=lum='if(between(mod(N,250),125,134),235,16)':cb=128:cr=128",
                "-f", "lavfi", "-i",
                "aevalsrc='0.5*exp(-0.5*(\(way)/0.002)^2)*cos(2*PI*1000*\(way))':s=44100:d=5",
                "-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
                cutfarm.folder.path("flashes.mov"),
            ]
        )
        let keys = """
            [{ "at": "0s", "value": 1 }, { "at": "0.5s", "value": 1, "ease": "inOutSine" }, { "at": "1.2s", "value": 2 },
             { "at": "1.7s", "value": 0.5 }, { "at": "2.5s", "value": 0.5 }]
            """
        let text = """
            { "schema": "edit/1",
              "format": { "size": [32, 32], "frameRate": "\(Self.frameRate)", "sampleRate": \(Self.sampleRate), "channels": 1 },
              "assets": { "flashes": "flashes.mov" },
              "tracks": [{ "kind": "video", "segments": [
                { "asset": "flashes", "duration": "2.5s", "pitch": "\(pitch)", "speed": \(keys) } ] }],
              "outputs": [{ "preset": "lossless", "file": "out.mkv" }] }
            """
        let movie = try await cutfarm.render(try cutfarm.write("edit.json", text), to: "out.mkv", ["--workers", "2"])
        let lumas = try await Shell.ffmpeg(
            ["-i", movie, "-vsync", "passthrough", "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
        )
        let pcm = ["-i", movie, "-map", "0:a", "-f", "f32le", "-"]
        let samples = try await Shell.ffmpeg(pcm).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        #expect(lumas.count == 2500 && samples.count == 120_000)
        let flashes = (1..<lumas.count).filter { lumas[$0 - 1] < 128 && lumas[$0] > 128 }
        #expect(flashes.count == 10, "\(flashes)")
        var worst = 0.0
        for flash in flashes {
            // The source came to the flash's first frame between the frame before and this one.
            let expected = (Double(flash) - 0.5) / Double(Self.frameRate)
            let range = Int((expected - 0.045) * 48_000)..<Int((expected + 0.045) * 48_000)
            guard range.lowerBound >= 0, range.upperBound <= samples.count else { continue }
            let (power, moment) = range.reduce(into: (0.0, 0.0)) { sums, place in
                let energy = Double(samples[place]) * Double(samples[place])
                sums.0 += energy
                sums.1 += energy * Double(place)
            }
            try #require(power > 1, "no beep at frame \(flash)")
            let offset = moment / power / 48_000 - expected
            worst = max(worst, abs(offset))
            // Where the pitch is kept, a sound lies in a frame of 40 ms, which plays at speed 1 and is moved by up to
            // 10 ms.
            #expect(abs(offset) < (pitch == "keep" ? 0.02 : 0.001), "frame \(flash): \(offset * 1000) ms")
        }
        print("flash and beep, \(pitch): \(flashes.count) flashes, largest offset \(worst * 1000) ms")
    }
}
