import Foundation
import TestSupport
import Testing
import WireProtocol

/// Loudness and waveforms of an edit, measured in pieces over a farm.
@Suite(.serialized) struct FarmMeasureTests {
    /// A little more than two minutes in two pieces: AAC and AC-3, a duck, a room, a limiter.
    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        let music = "0.4*sin(2*PI*(100+t)*t)+0.1*(random(0)-0.5)"
        let voice = "0.5*gt(mod(t,9),4)*sin(2*PI*50*t*t)"
        for (name, rate, codec, sound) in [
            ("music.m4a", 44_100, "aac", music), ("voice.mkv", 48_000, "ac3", voice),
        ] {
            try await Shell.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc='\(sound)|\(sound)':s=\(rate):d=150", "-c:a", codec, "-b:a",
                "96k", cutfarm.folder.path(name),
            ])
        }
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1",
              "format": { "size": [320, 180], "frameRate": "30000/1001", "sampleRate": 48000, "channels": 2 },
              "assets": { "music": "music.m4a", "voice": "voice.mkv" },
              "master": { "limiter": { "ceiling": "-3dB" } },
              "tracks": [
                { "kind": "audio", "id": "voice", "segments": [
                    { "gap": "20s" }, { "asset": "voice", "in": "1s", "duration": "110s", "pan": 0.3 } ] },
                { "kind": "audio", "duck": { "under": "voice", "by": "-12dB", "threshold": "-35dB" },
                  "processors": [{ "processor": "reverb", "decay": "0.5s" }],
                  "segments": [{ "asset": "music", "duration": "140s" }] } ] }
            """
        )
        return (cutfarm, edit)
    }

    /// LUFS by FFmpeg's meter.
    private func judged(_ path: String) async throws -> Double {
        let arguments = ["-nostdin", "-hide_banner", "-i", path, "-af", "ebur128", "-f", "null", "-"]
        let text = try await Shell.run("ffmpeg", arguments).errors
        let line = text.split(separator: "\n").last { $0.contains(" I:") && $0.contains("LUFS") } ?? ""
        let number = line.split(separator: " ").compactMap { Double($0) }.first
        guard let number else { throw Unexpected(description: "ffmpeg said no loudness: \(text)") }
        return number
    }

    private func jobs(_ farm: TestFarm) async throws -> [JobView] {
        try WireJSON.decode([JobView].self, from: try await farm.run("jobs", "--json").output)
    }

    /// One of two workers is killed when it has begun.
    @Test func aFarmMeasuresWhatOneMachineDoes() async throws {
        let (cutfarm, edit) = try await prepare()
        let samples = cutfarm.folder.path("mix.wav")
        #expect(try await cutfarm.run(["read", edit, "-o", samples]).exitCode == 0)
        // In one pass, and by as many processes as there is work for.
        let here = try await cutfarm.run(["loudness", edit, "--json", "--workers", "1"])
        #expect(here.exitCode == 0, "\(here.errors)")
        #expect(try await cutfarm.run(["loudness", edit, "--json", "--workers", "3"]).text == here.text)
        let summary = try WireJSON.decode(LoudnessSummary.self, from: here.output)
        let integrated = try #require(summary.integrated)
        let reference = try await judged(samples)
        #expect(abs(integrated - reference) <= 0.1, "\(integrated) \(reference)")

        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one", "--slots", "1"), farm.worker("two", "--slots", "1")]
        async let asked = farm.run("loudness", edit, "--json", "--priority", "7")
        var id: JobID?
        try await waitUntil {
            id = try await jobs(farm).first?.id
            return id != nil
        }
        let job = try #require(id)
        try await farm.wait(for: job) { report in
            report.job.state.isFinal || report.tasks.contains { $0.attempts.contains { $0.workerName == "one" } }
        }
        workers[0].send(SIGKILL)
        let there = try await asked
        #expect(there.exitCode == 0, "\(there.errors)")
        #expect(there.text == here.text)
        let report = try await farm.show(job)
        #expect(report.job.state == .completed && report.job.preset == "loudness" && report.job.priority == 7)
        #expect(there.errors.contains("\(job) completed 100 % (2 of 2 tasks)"), "\(there.errors)")
        #expect(report.tasks.count == 2 && report.tasks.allSatisfy { $0.kind == .measure && $0.frames != nil })
        try await farm.stop([workers[1]])
    }

    @Test func aFarmDrawsWhatOneMachineDoes() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let workers = try [farm.worker("one", "--slots", "1"), farm.worker("two", "--slots", "1")]
        let away = ["--coordinator", farm.address, "--token-file", cutfarm.folder.path("token")]
        let kinds = [
            ("png", "1", ["--range", "51f", "4100f", "--size", "1000x90"]),
            ("svg", "3", ["--channels", "mixed", "--range", "100f", "4093f"]),
            ("json", "1", ["--samples-per-pixel", "512", "--bits", "24"]),
        ]
        let asked = TestSeeds.asked(kinds, usual: [kinds[1]])
        for (ending, processes, options) in asked {
            let paths = ["here", "there"].map { cutfarm.folder.path("\($0).\(ending)") }
            let here = try await cutfarm.run(["waveform", edit, "-o", paths[0], "--workers", processes] + options)
            #expect(here.exitCode == 0, "\(here.errors)")
            let there = try await cutfarm.run(["waveform", edit, "-o", paths[1]] + options + away)
            #expect(there.exitCode == 0, "\(there.errors)")
            let files = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            #expect(files[0].count > 1000 && files[1] == files[0], "\(ending)")
        }
        #expect(try await jobs(farm).map(\.tasks.total).sorted() == asked.map { _ in 2 })
        #expect(try await jobs(farm).allSatisfy { $0.preset == "waveform" })

        // A file is sent as an edit of its sound, and is as long as its samples.
        let file = cutfarm.folder.path("odd.flac")
        let cut = ["-af", "atrim=end_sample=6823457", file]
        try await Shell.ffmpeg(["-i", cutfarm.folder.path("voice.mkv")] + cut)
        let range = ["--range", "17.3s", "100.01s"]
        for options in TestSeeds.asked([[], range], usual: [range]) {
            let here = try await cutfarm.run(["waveform", file, "-o", "-"] + options)
            let there = try await cutfarm.run(["waveform", file, "-o", "-"] + options + away)
            #expect(there.exitCode == 0 && there.text == here.text && there.output.count > 1000, "\(there.errors)")
        }
        try await farm.stop(workers)
    }

    /// Who waits for a farm without workers is told, once, and served when one comes.
    @Test func nobodyThereIsSaid() async throws {
        let cutfarm = try Cutfarm()
        let sound = cutfarm.folder.path("tone.wav")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=d=2:r=48000", sound])
        let farm = try await TestFarm(cutfarm)
        let log = cutfarm.folder.path("loudness.log")
        let relay = try await Relay(to: farm.address, "relay", in: cutfarm.folder)
        let access = ["--coordinator", relay.address, "--token-file", cutfarm.folder.path("token")]
        let asking = try RunningProgram(Programs.cutfarm, ["loudness", sound] + access, log: log)
        func times(_ words: String) throws -> Int {
            try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: words).count - 1
        }
        let words = "Waits: No worker connected. "
        func questions() -> Int { relay.requests.count { $0.hasPrefix("GET /v1/jobs/") } }
        try await waitUntil { try times(words) > 0 }
        let asked = questions()
        try await waitUntil { questions() >= asked + 4 }
        #expect(try times(words) == 1)
        let worker = try farm.worker("late")
        #expect(try await asking.wait() == 0)
        #expect(try times(" LUFS") > 0 && times(words) == 1)
        try await farm.stop([worker])
    }

    /// Before anything is sent.
    @Test func badInputIsSaid() async throws {
        let cutfarm = try Cutfarm()
        let sound = cutfarm.folder.path("tone.wav")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=d=2:r=48000", sound])
        let silent = cutfarm.folder.path("silent.mp4")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "color=s=64x48:d=1", silent])
        let edit = try cutfarm.write(
            "silent.json",
            #"{ "schema": "edit/1", "assets": { "a": "silent.mp4" }, "format": { "size": [64, 48], "frameRate": "25" }, "#
                + #""tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }] }"#
        )
        let png = cutfarm.folder.path("x.png")
        let nobody = ["--coordinator", "http://127.0.0.1:9"]
        let cases: [([String], String)] = [
            (["waveform", edit, "-o", png] + nobody, "There is no sound in"),
            (["loudness", edit] + nobody, "There is no sound in"),
            (["loudness", silent] + nobody, "There is no sound in"),
            (["waveform", sound, "-o", png, "--samples-per-pixel", "1"] + nobody, "write 6 or more"),
            (["waveform", sound, "-o", cutfarm.folder.path("x.gif")] + nobody, "a waveform is png, svg or json"),
            (["waveform", sound, "-o", png, "--token-file", png], "A token is for a farm"),
            (["loudness", sound, "--workers", "0"], "--workers takes a number from 1 to 256"),
        ]
        for (arguments, words) in cases {
            let outcome = try await cutfarm.run(arguments)
            #expect(outcome.exitCode != 0 && outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: png) && cutfarm.leftovers().isEmpty)
    }
}
