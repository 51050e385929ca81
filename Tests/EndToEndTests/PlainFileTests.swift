import Foundation
import TestSupport
import Testing

/// `still` and `read` of a media file take the file's own frames.
struct PlainFileTests {
    /// 30 frames at 30 a second, then 30 at 10; luma is 16 + the number of the one that was drawn, 30 a second.
    private func variable(_ name: String, _ cutfarm: Cutfarm) async throws -> String {
        let path = cutfarm.folder.path(name)
        let codec = ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-video_track_timescale", "30000"]
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "nullsrc=s=64x64:r=30:d=4,format=yuv420p,geq=lum=16+N:cb=128:cr=128"]
                + ["-vf", "select=lt(n\\,30)+not(mod(n\\,3))", "-vsync", "vfr", "-pix_fmt", "yuv420p"]
                + ["-colorspace", "bt709", "-color_range", "tv"]
                + (name.hasSuffix(".mkv") ? ["-c:v", "ffv1"] : codec) + [path]
        )
        return path
    }

    /// 120 frames at 30 a second, each up to 4.4 ms beside its place, which is more than jitter, the last for a third of
    /// a millisecond; with noise.
    private func jittering(_ cutfarm: Cutfarm) async throws -> String {
        let path = cutfarm.folder.path("jitter.mov")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "nullsrc=s=64x64:r=30:d=4,format=yuv420p,geq=lum=16+N:cb=128:cr=128"]
                + ["-f", "lavfi", "-i", "anoisesrc=r=48000:d=4:seed=7:a=0.3", "-c:a", "pcm_s16le"]
                + ["-vf", "settb=1/90000,setpts='N*3000+gt(N,0)*(mod(N*7919,801)-400)'", "-fps_mode", "passthrough"]
                + ["-enc_time_base", "1/90000", "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-bf", "0"]
                + ["-video_track_timescale", "90000", "-pix_fmt", "yuv420p", "-colorspace", "bt709"]
                + ["-color_range", "tv", "-bsf:v", "setts=duration=if(eq(N\\,119)\\,30\\,DURATION)", path]
        )
        return path
    }

    private func samples(_ wav: String) async throws -> [Int32] {
        let bytes = try await Shell.ffmpeg(["-i", wav, "-f", "s32le", "-ac", "1", "-"])
        return Array(bytes).withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    }

    private func lumas(_ y4m: String) async throws -> [Int] {
        let bytes = try await Shell.ffmpeg(["-i", y4m, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
        return stride(from: 0, to: bytes.count, by: 64 * 64 * 3 / 2).map { Int(bytes[bytes.startIndex + $0]) - 16 }
    }

    /// What is shown at 30 a second; the last frame is said to last for one of them.
    private var whole: [Int] { Array(0..<30) + (30..<118).map { (place: Int) -> Int in place / 3 * 3 } }

    /// What was drawn of the file's frame `number`.
    private func drawn(_ number: Int) -> Int { number < 30 ? number : 30 + (number - 30) * 3 }

    @Test(arguments: TestSeeds.asked(["a.mp4", "a.mkv"], usual: ["a.mp4"]))
    func aVariableRateShowsItsOwnFrames(name: String) async throws {
        let cutfarm = try Cutfarm()
        let movie = try await variable(name, cutfarm)
        let stills = cutfarm.folder.path("%d.png")
        let times = ["0.07s", "0.91s", "#4", "#31", "0s", "3.92s", "1.15s"]
        let outcome = try await cutfarm.run(["still", movie, "-o", stills, "--at"] + times)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        for frame in [2, 27, 4, 31, 0, 59, 31] {
            let path = cutfarm.folder.path("\(frame).png")
            let grey = try #require(
                try await Shell.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"]).first
            )
            #expect(Int((Double(grey) * 219 / 255).rounded()) == drawn(frame), "frame \(frame)")
        }
        let late = try await cutfarm.run(["still", movie, "-o", stills, "--at", "4.2s", "-1s", "#60"])
        #expect(late.exitCode == 4 && late.text.contains("-1s  failed  a time below 0"), "\(late.text)\(late.errors)")
        #expect(late.text.components(separatedBy: "the last frame is 59").count == 3)

        let frames = cutfarm.folder.path("a.y4m")
        let read = try await cutfarm.run(["read", movie, "-o", frames])
        #expect(read.exitCode == 0 && read.errors.contains("30 frames per second: no frame is lost"), "\(read.errors)")
        #expect(try await lumas(frames) == whole)
        let part = cutfarm.folder.path("part.y4m")
        #expect(try await cutfarm.run(["read", movie, "-o", part, "--range", "0.9s", "0.3s"]).exitCode == 0)
        #expect(try await lumas(part) == [27, 28, 29, 30, 30, 30, 33, 33, 33])

        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "v": "\(name)" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "v" }] }] }
            """
        )
        let shown = cutfarm.folder.path("edit.y4m")
        let made = try await cutfarm.run(["read", edit, "-o", shown])
        #expect(made.exitCode == 0 && made.errors.contains("[implied-format]"), "\(made.errors)")
        #expect(try await lumas(shown) == whole)
    }

    @Test func aFarmMakesTheSameFramesOfAVariableRate() async throws {
        let cutfarm = try Cutfarm()
        let movie = try await variable("a.mkv", cutfarm)
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one", "--slots", "1")]
        let times = ["--at", "0.07s", "#31", "0.91s", "3.92s"]
        let (here, there) = (cutfarm.folder.path("here-%d.png"), cutfarm.folder.path("there-%d.png"))
        #expect(try await cutfarm.run(["still", movie, "-o", here] + times).exitCode == 0)
        let outcome = try await farm.run("still", movie, "-o", there, "--at", "0.07s", "#31", "0.91s", "3.92s")
        #expect(outcome.exitCode == 0, "\(outcome.errors)\(outcome.text)")
        // A last frame that is shorter than a thousandth of a second.
        let short = try await jittering(cutfarm)
        #expect(try await cutfarm.run(["still", short, "-o", here, "--at", "#119", "#118"]).exitCode == 0)
        let ends = try await farm.run("still", short, "-o", there, "--at", "#119", "#118")
        #expect(ends.exitCode == 0, "\(ends.errors)\(ends.text)")
        for frame in [2, 27, 31, 59, 118, 119] {
            let images = [here, there].map {
                FileManager.default.contents(atPath: $0.replacing("%d", with: "\(frame)"))
            }
            #expect(images[0] != nil && images[0] == images[1], "frame \(frame)")
        }
        try await farm.stop(workers)
    }

    /// A range means the same span of pictures and of sound, also where the file is read at another rate than `30f`
    /// counts in.
    @Test func aRangeIsTheSameForPicturesAndSound() async throws {
        let cutfarm = try Cutfarm()
        let movie = try await jittering(cutfarm)
        func read(_ name: String, _ range: [String]) async throws -> String {
            let path = cutfarm.folder.path(name)
            let options = range.isEmpty ? [] : ["--range"] + range
            let outcome = try await cutfarm.run(["read", movie, "-o", path, "--force"] + options)
            #expect(outcome.exitCode == 0, "\(range): \(outcome.errors)")
            return path
        }
        let all = (
            pictures: try await lumas(try await read("all.y4m", [])),
            sound: try await samples(try await read("all.wav", []))
        )
        for range in [["30f", "30f"], ["00:00:01:00", "1s"], ["1.0033s", "0.4s"]] {
            let pictures = try await lumas(try await read("part.y4m", range))
            let sound = try await samples(try await read("part.wav", range))
            // It is read at 60 frames a second.
            let count = range[1] == "0.4s" ? 24 : 60
            let (shown, heard) = (Array(all.pictures.dropFirst(60)), Array(all.sound.dropFirst(48_000)))
            #expect(pictures == Array(shown.prefix(count)), "\(range)")
            #expect(sound.elementsEqual(heard.prefix(800 * count)), "\(range)")
        }
    }

    /// At 30000/1001 a second is no whole number of frames: the nearest are taken.
    @Test func aRangeBetweenFramesIsRounded() async throws {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("ntsc.mov")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "nullsrc=s=64x64:r=30000/1001,format=yuv420p,geq=lum=16+N:cb=128:cr=128"]
                + ["-f", "lavfi", "-i", "anoisesrc=r=48000:seed=7:a=0.3", "-t", "3", "-c:v", "libx264", "-qp", "0"]
                + ["-preset", "ultrafast", "-c:a", "pcm_s16le", "-colorspace", "bt709", "-color_range", "tv", movie]
        )
        let (y4m, wav, all) = (
            cutfarm.folder.path("a.y4m"), cutfarm.folder.path("a.wav"), cutfarm.folder.path("all.wav")
        )
        for output in [y4m, wav] {
            let outcome = try await cutfarm.run(["read", movie, "-o", output, "--range", "1s", "0.5s"])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
        #expect(try await cutfarm.run(["read", movie, "-o", all]).exitCode == 0)
        #expect(try await lumas(y4m) == Array(30..<45))
        // 30 and 15 frames of 1601.6 samples.
        let (part, whole) = (try await samples(wav), try await samples(all))
        #expect(part == Array(whole.dropFirst(48_048).prefix(24_024)))
    }

    /// Untouched: 4:2:0 sample for sample, 4:4:4 in every luma sample.
    @Test(arguments: ["yuv420p", "yuv444p"]) func oddSidesStay(format: String) async throws {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("odd.mkv")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc=s=321x181:r=25:d=1,format=\(format)", "-c:v", "ffv1"]
                + ["-colorspace", "bt709", "-color_range", "tv", movie]
        )
        let frames = cutfarm.folder.path("odd.y4m")
        let read = try await cutfarm.run(["read", movie, "-o", frames])
        #expect(read.exitCode == 0 && read.errors.isEmpty, "\(read.errors)")
        let wanted = format == "yuv420p" ? format : "gray"
        let raw = ["-vf", wanted == "gray" ? "extractplanes=y" : "null", "-f", "rawvideo", "-pix_fmt", wanted, "-"]
        let (own, handed) = (
            try await Shell.ffmpeg(["-i", movie] + raw), try await Shell.ffmpeg(["-i", frames] + raw)
        )
        #expect(own.count > 25 * 321 * 181 - 1 && own == handed)
        let still = cutfarm.folder.path("odd.png")
        #expect(try await cutfarm.run(["still", movie, "--at", "#12", "-o", still]).exitCode == 0)
        let rgb = [
            "-sws_flags", "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-",
        ]
        let image = try await Shell.ffmpeg(["-i", still] + rgb)
        let source = try await Shell.ffmpeg(["-i", movie, "-vf", "select=eq(n\\,12)", "-frames:v", "1"] + rgb)
        try #require(image.count == 321 * 181 * 3 && source.count == image.count)
        let differences = zip(image, source).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(image.count)
        // Chroma of half the size is all that 4:4:4 loses.
        #expect(mean < 4, "\(mean)")
    }

    @Test func errorsSpeakOfTheFile() async throws {
        let cutfarm = try Cutfarm()
        let titles = try cutfarm.write("w.srt", "1\n00:00:00,000 --> 00:00:01,000\nOne\n")
        let words = try cutfarm.write("w.txt", "no movie at all")
        let (sound, movie) = (cutfarm.folder.path("a.wav"), cutfarm.folder.path("a.mp4"))
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=d=2", sound])
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", movie])
        let output = cutfarm.folder.path("o.y4m")
        let still = ["-o", cutfarm.folder.path("o.png"), "--at", "0s"]
        for (arguments, sentence) in [
            (["still", titles] + still, "\(titles) has no picture and no sound"),
            (["still", sound] + still, "\(sound) has no picture"),
            (["still", words] + still, "\(words): This is no movie"),
            (["read", movie, "-o", output, "--range", "0s", "9s"], "--range 0s 9s goes on after 2 s, where"),
            (["read", movie, "-o", output, "--range", "-1s", "9s"], "--range -1s: a time below 0"),
            (["read", movie, "-o", output, "--range", "soon", "9s"], "--range soon 9s: “soon” is no time"),
            (["still", movie, "-o", output, "--every", "-1s"], "--every -1s: a length below 0"),
        ] {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode == 2 && outcome.errors.contains(sentence), "\(arguments): \(outcome.errors)")
            for word in [" at /", "[", "asset \"", "the edit"] {
                #expect(!outcome.errors.contains(word), "\(outcome.errors)")
            }
        }
        let mix = cutfarm.folder.path("mix.wav")
        #expect(try await cutfarm.run(["read", sound, "-o", mix]).exitCode == 0)
        #expect(try await Shell.ffmpeg(["-i", mix, "-f", "s16le", "-ac", "1", "-"]).count == 2 * 88_200)
    }

    /// Also a picture, and rates that no edit has.
    @Test func picturesAndSlowMoviesAreRead() async throws {
        let cutfarm = try Cutfarm()
        let (picture, slow) = (cutfarm.folder.path("p.png"), cutfarm.folder.path("slow.mp4"))
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc=s=65x33", "-frames:v", "1", picture])
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=1/2:d=20", "-c:v", "libx264", slow])
        let y4m = cutfarm.folder.path("o.y4m")
        for (file, header, count) in [(picture, "W65 H33", 1), (slow, "W64 H64 F1:2", 10)] {
            let outcome = try await cutfarm.run(["read", file, "-o", y4m, "--force"])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let bytes = try #require(FileManager.default.contents(atPath: y4m))
            #expect(String(decoding: bytes.prefix(60), as: UTF8.self).contains(header))
            #expect(bytes.ranges(of: Data("FRAME\n".utf8)).count == count)
            let still = cutfarm.folder.path("o.png")
            let made = try await cutfarm.run(["still", file, "--at", "0s", "-o", still, "--force"])
            #expect(made.exitCode == 0, "\(made.errors)")
        }
    }
}
