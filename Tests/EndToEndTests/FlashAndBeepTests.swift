import Foundation
import TestSupport
import Testing

/// At each cut a white frame begins and a beep follows it by 20 ms: both are measured in the decoded movie.
///
/// ```
/// picture  ████ white, then black until the next
/// sound    ······∿∿∿······      a beep whose middle comes 20 ms after the flash begins
/// ```
/// `CUTFARM_THOROUGH=1` renders the hour with its 525 cuts.
struct FlashAndBeepTests {
    private static let isThorough = ProcessInfo.processInfo.environment["CUTFARM_THOROUGH"] != nil
    private static let cuts = isThorough ? 525 : 20
    private static let sampleRate = 48_000
    /// Seconds from the first moment of a flash to the middle of its beep.
    private static let lag = 0.02

    /// A flash every 60 frames. Rates of pictures and sound, and codecs with and without priming.
    private struct Source {
        var name: String
        var rate: String
        var seconds: Double
        var soundRate: Int
        var arguments: [String]

        static let all = [
            Source(
                name: "a.mp4",
                rate: "25",
                seconds: 2.4,
                soundRate: 44_100,
                arguments: ["-c:a", "aac", "-b:a", "192k"]
            ),
            Source(
                name: "b.mov",
                rate: "30000/1001",
                seconds: 2.002,
                soundRate: 48_000,
                arguments: ["-c:a", "pcm_s16le"]
            ),
            Source(name: "c.mkv", rate: "24", seconds: 2.5, soundRate: 96_000, arguments: ["-c:a", "flac"]),
        ]

        func make(in folder: TemporaryFolder) async throws {
            let way = "(mod(t,\(seconds))-\(FlashAndBeepTests.lag))"
            try await Shell.ffmpeg(
                [
                    "-f", "lavfi", "-i",
                    "color=black:s=64x64:r=\(rate):d=40,geq=lum='if(mod(N,60),16,235)':cb=128:cr=128",
                    "-f", "lavfi", "-i",
                    "aevalsrc='0.5*exp(-0.5*(\(way)/0.002)^2)*sin(2*PI*2000*\(way))':s=\(soundRate):d=40",
                    "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-pix_fmt", "yuv420p",
                ] + arguments + [folder.path(name)]
            )
        }
    }

    /// Clips that each begin with a flash. - Returns: the edit, and the frames at which they begin.
    private func edit() -> (text: String, starts: [Int]) {
        var numbers = SplitMix(state: 525)
        var starts: [Int] = []
        var items: [String] = []
        var frame = 0
        for number in 0..<Self.cuts {
            let source = Source.all[number % Source.all.count]
            let first = 60 * Int.random(in: 0..<8, using: &numbers)
            let count = Int.random(in: 150...261, using: &numbers)
            items.append("{ \"asset\": \"\(source.name)\", \"in\": \"#\(first)\", \"duration\": \"\(count)f\" }")
            starts.append(frame)
            frame += count
        }
        let assets = Source.all.map { "\"\($0.name)\": \"\($0.name)\"" }.joined(separator: ", ")
        let text = """
            { "schema": "edit/1",
              "format": { "size": [64, 64], "frameRate": "30000/1001", "sampleRate": \(Self.sampleRate), "channels": 2 },
              "assets": { \(assets) },
              "tracks": [{ "kind": "video", "segments": [\(items.joined(separator: ",\n"))] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (text, starts)
    }

    @Test
    func everyBeepFollowsItsFlash() async throws {
        let cutfarm = try Cutfarm()
        for source in Source.all { try await source.make(in: cutfarm.folder) }
        let (text, starts) = edit()
        let movie = try await cutfarm.render(try cutfarm.write("edit.json", text), to: "out.mp4", ["--workers", "2"])
        let lumas = try await Shell.ffmpeg(
            ["-i", movie, "-vsync", "passthrough", "-vf", "scale=1:1", "-pix_fmt", "gray", "-f", "rawvideo", "-"]
        )
        let pcm = ["-i", movie, "-map", "0:a", "-af", "pan=mono|c0=c0", "-f", "s16le", "-"]
        let samples = try await Shell.ffmpeg(pcm).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        var worst = 0.0
        for start in starts {
            #expect(lumas[start] > 200, "frame \(start) is no flash")
            let offset = try #require(self.offset(ofBeepAfter: start, samples), "no beep after frame \(start)")
            worst = max(worst, abs(offset))
            #expect(abs(offset) < 0.000_1, "frame \(start): \(offset * 1000) ms")
        }
        print("flash and beep: \(starts.count) cuts, largest offset \(worst * 1_000_000) µs")
    }

    /// Seconds by which the beep is late: where its own shape, moved, fits best. Nil where it is quiet.
    private func offset(ofBeepAfter frame: Int, _ samples: [Int16]) -> Double? {
        let expected = (Double(frame) * 1001 / 30_000 + Self.lag) * Double(Self.sampleRate)
        let first = Int(expected) - 480
        guard first + 1000 < samples.count else { return nil }
        let shape = (0..<960).map { index in
            let way = (Double(first + index) - expected) / Double(Self.sampleRate)
            return exp(-0.5 * (way / 0.002) * (way / 0.002)) * sin(2 * Double.pi * 2000 * way)
        }
        let fits = (-20...20).map { late in
            shape.indices.reduce(0) { $0 + shape[$1] * Double(samples[first + late + $1]) }
        }
        guard let best = fits.indices.max(by: { fits[$0] < fits[$1] }), fits[best] > 100_000, best > 0, best < 40
        else { return nil }
        let (before, at, after) = (fits[best - 1], fits[best], fits[best + 1])
        let fraction = (before - after) / (2 * (before - 2 * at + after))
        return (Double(best - 20) + fraction) / Double(Self.sampleRate)
    }
}
