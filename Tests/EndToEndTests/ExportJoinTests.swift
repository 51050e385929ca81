import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

/// Several files that `cutfarm export` joins.
@Suite struct ExportJoinTests {
    private let cutfarm: Cutfarm

    init() throws { cutfarm = try Cutfarm() }

    private func make(_ name: String, _ arguments: [String]) async throws -> ExportedFile {
        let path = cutfarm.folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return ExportedFile(path: path)
    }

    /// A click half a second into 1.001 s.
    private static func clip(_ picture: String, _ rate: String, frames: Int, _ sound: [String]) -> [String] {
        [
            "-f", "lavfi", "-i", "\(picture)=s=160x120:r=\(rate),trim=end_frame=\(frames)", "-f", "lavfi", "-i",
            "aevalsrc='if(between(n,24024,24040),0.9,0.0001)':s=48000:d=1.001", "-c:v", "libx264", "-preset",
            "veryfast", "-pix_fmt", "yuv420p", "-g", "24", "-bf", "2",
        ] + sound
    }

    @Test(arguments: [("mp4", "mp4", "aac"), ("mkv", "mkv", "flac"), ("mov", "mov", "pcm_s16le"), ("mp4", "ts", "aac")])
    func aHundredFilesDoNotDrift(ending: String, target: String, codec: String) async throws {
        let sound = ["-c:a", codec] + (codec == "aac" ? ["-aac_pns", "0"] : [])
        let clip = try await make("clip." + ending, Self.clip("testsrc2", "30000/1001", frames: 30, sound))
        let own = try await clip.pictures()
        #expect(own.count == 30)
        let (file, report) = try await cutfarm.export([String](repeating: clip.path, count: 100), to: "all." + target)
        #expect(report.frameCount == 3000)
        #expect(try await file.pictures() == (0..<100).flatMap { _ in own })
        let times = try await file.pictureTimes()
        for (number, time) in times.enumerated() {
            #expect(abs(time - times[0] - Double(number) * 1001 / 30000) < 0.0011, "picture \(number)")
        }
        // The clicks, by the count of samples, as a decoder without a clock hears them.
        let samples = try await file.samples()
        let first = try await firstSound(file) - times[0]
        for number in 0..<100 {
            let wanted = Int(((Double(number) * 1.001 - first) * 48_000).rounded()) + 24_032
            let window = max(0, wanted - 12_000)..<max(wanted, min(samples.count, wanted + 12_000))
            try #require(window.lowerBound < samples.count)
            let loudest = try #require(window.max { abs(Int(samples[$0])) < abs(Int(samples[$1])) })
            #expect(abs(loudest - wanted) <= (codec == "pcm_s16le" ? 20 : codec == "flac" ? 2_400 : 560), "\(number)")
        }
    }

    private func firstSound(_ file: ExportedFile) async throws -> Double {
        let lines = try await file.probed("frame=pts_time", ["-select_streams", "a:0", "-read_intervals", "%+#5"])
        return try #require(lines.first.flatMap { Double($0.replacing("pts_time=", with: "")) })
    }

    @Test func aRangeIsOneOfTheJoinedTimeline() async throws {
        let one = try await make("one.mp4", Self.clip("testsrc2", "30000/1001", frames: 30, ["-c:a", "aac"]))
        let two = try await make("two.mp4", Self.clip("testsrc", "30000/1001", frames: 30, ["-c:a", "aac"]))
        let all = try await one.pictures() + two.pictures()
        let options = ["--range", "20f", "25f", "--exact"]
        let (file, report) = try await cutfarm.export([one.path, two.path] + options, to: "part.mp4")
        #expect(report.frameCount == 25)
        #expect(try await file.pictures() == Array(all[20..<45]))
        let (only, _) = try await cutfarm.export([one.path, two.path, "--range", "35f", "10f", "--exact"], to: "b.mp4")
        #expect(try await only.pictures() == Array(all[35..<45]))
    }

    @Test func soundThatIsCutAtAJoinIsTold() async throws {
        let short = try await make("short.mp4", Self.clip("testsrc2", "30000/1001", frames: 20, ["-c:a", "aac"]))
        let (file, report) = try await cutfarm.export([short.path, short.path], to: "two.mp4")
        #expect(report.notes.count == 1 && report.notes[0].contains("audio/0 behind its last picture"))
        #expect(try await file.pictures().count == 40)
        // A file that nothing follows keeps all of its sound.
        let (whole, alone) = try await cutfarm.export([short.path], to: "one.mp4")
        let heard = try await whole.samples().count
        #expect(alone.notes.isEmpty && heard >= 48_048)
    }

    @Test func whatDiffersIsNamed() async throws {
        let one = try await make("one.mp4", Self.clip("testsrc2", "30", frames: 30, ["-c:a", "aac"]))
        let slower = try await make("slow.mp4", Self.clip("testsrc2", "25", frames: 25, ["-c:a", "aac"]))
        let mute = try await make("mute.mp4", ["-i", one.path, "-an", "-c", "copy"])
        let other = try await make("rate.mp4", ["-i", one.path, "-c:v", "copy", "-c:a", "aac", "-ar", "44100"])
        for (file, words) in [
            (slower, "frame rate: 25, and 30"), (mute, "no audio/0"), (other, "sample rate: 44100 Hz"),
        ] {
            let outcome = try await cutfarm.run(["export", one.path, file.path, "-o", cutfarm.folder.path("x.mp4")])
            #expect(outcome.exitCode == 2 && outcome.errors.contains(words), "\(outcome.errors)")
            #expect(outcome.errors.contains("cutfarm render") && outcome.errors.contains("\"segments\""))
        }
    }
}
