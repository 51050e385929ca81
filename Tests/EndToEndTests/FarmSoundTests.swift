import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Sound that is long enough for several pieces, through a whole farm.
@Suite(.serialized) struct FarmSoundTests {
    /// Four and a half minutes in three pieces, two of AAC: 44.1 kHz AAC with noise substitution and an AC-3, under a
    /// limiter.
    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        let music = "0.4*sin(2*PI*(100+t)*t)+0.1*(random(0)-0.5)"
        for (name, rate, codec) in [("music.m4a", 44_100, "aac"), ("voice.mkv", 48_000, "ac3")] {
            try await Shell.ffmpeg([
                "-f", "lavfi", "-i", "aevalsrc='\(music)|0.5*sin(2*PI*50*t*t)':s=\(rate):d=200", "-c:a", codec, "-b:a",
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
                { "kind": "audio", "id": "music", "segments": [
                    { "asset": "music", "duration": "140s" },
                    { "transition": "dissolve", "duration": "2s" },
                    { "asset": "music", "in": "5s", "duration": "132s", "volume": [
                        { "at": "0s", "value": 0.2 }, { "at": "120s", "value": "-3dB" } ] } ] },
                { "kind": "audio", "segments": [
                    { "gap": "60s" }, { "asset": "voice", "in": "1s", "duration": "190s", "pan": 0.5 } ] } ] }
            """
        )
        return (cutfarm, edit)
    }

    /// 1 and 2 workers, one of them killed in the middle: the same bytes of every kind of file.
    @Test func piecesOfAnyWorkersAreOneFile() async throws {
        let (cutfarm, edit) = try await prepare()
        var files: [String: Set<Data>] = [:]
        let presets = TestSeeds.asked(["wav", "aac"], usual: ["aac"])
        for names in [["one"], ["one", "two"]] {
            let farm = try await TestFarm(cutfarm, "farm-\(names.count)")
            var workers = try names.map { try farm.worker($0) }
            for preset in presets {
                let file = cutfarm.folder.path("\(names.count).\(preset == "wav" ? "wav" : "m4a")")
                let id = try await farm.submit(edit, ["--preset", preset])
                if names.count == 2, preset == presets[0] {
                    try await farm.wait(for: id) { report in report.tasks.contains { $0.state == .completed } }
                    workers[0].send(SIGKILL)
                    workers.removeFirst()
                    workers.append(try farm.worker("three"))
                }
                let report = try await farm.wait(for: id)
                #expect(report.job.state == .completed)
                #expect(report.tasks.filter { $0.kind == .sound }.count == (preset == "wav" ? 3 : 2))
                let fetched = try await farm.run("fetch", id.description, "-o", file)
                #expect(fetched.exitCode == 0, "\(fetched.errors)")
                files[preset, default: []].insert(try Data(contentsOf: URL(fileURLWithPath: file)))
            }
            try await farm.stop(workers)
        }
        #expect(files.count == presets.count && files.values.allSatisfy { $0.count == 1 })
        let counts = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", cutfarm.folder.path("1.m4a")]
        )
        // Sound alone is not padded to a frame.
        #expect(counts.text == "\(270 * 48_000)\n")
        let clean = try await Shell.run(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-i", cutfarm.folder.path("1.m4a"), "-f", "null", "-"]
        )
        #expect(clean.exitCode == 0 && clean.errors.isEmpty, "\(clean.errors)")
        #expect(ProcessList.naming(cutfarm.folder.url.path).isEmpty)
    }

    /// 75 s with peaks, quiet and loud by turns, to −18 LUFS below −6 dBTP.
    private func prepareLoud() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        let noise = "0.067*(1+2*gt(mod(t,8),4))*(random(0)-0.5)+0.6*lt(mod(t,0.5),0.0004)"
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "aevalsrc='\(noise)|\(noise)':s=44100:d=80", "-c:a", "aac", "-b:a", "128k",
            cutfarm.folder.path("noise.m4a"),
        ])
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "noise": "noise.m4a" },
              "master": { "loudness": { "target": "-18LUFS", "truePeak": "-6dBTP" } },
              "tracks": [ { "kind": "audio", "segments": [
                { "asset": "noise", "duration": "30s" }, { "transition": "dissolve", "duration": "2s" },
                { "asset": "noise", "in": "5s", "duration": "45s" } ] } ] }
            """
        )
        return (cutfarm, edit)
    }

    private func soundSum(_ file: String) async throws -> String {
        let arguments = ["-v", "error", "-i", file, "-map", "0:a", "-c:a", "pcm_s24le", "-f", "md5", "-"]
        return try await Shell.run("ffmpeg", arguments).text
    }

    /// Measured and made in five pieces by one worker, and by two of which one is killed: the bytes of the one task, as
    /// loud as was asked for.
    @Test func aLoudnessOfAnyWorkersIsThatOfOne() async throws {
        let (cutfarm, edit) = try await prepareLoud()
        var files: [Data] = []
        let farms = [(["one"], 1), (["one"], 5), (["one", "two"], 5)]
        for (names, pieces) in TestSeeds.asked(farms, usual: [farms[0], farms[2]]) {
            let farm = try await TestFarm(cutfarm, "farm-\(names.count)-\(pieces)")
            var workers = try names.map { try farm.worker($0) }
            let id = try await farm.submit(edit, ["--preset", "wav", "--segments", "\(pieces)"])
            if names.count == 2 {
                try await farm.wait(for: id) { report in
                    report.tasks.contains { $0.position > 5 && !$0.attempts.isEmpty }
                }
                workers[0].send(SIGKILL)
                workers.removeFirst()
                workers.append(try farm.worker("three"))
            }
            let report = try await farm.wait(for: id)
            #expect(report.job.state == .completed, "\(report.job.failure?.message ?? "")")
            #expect(report.tasks.count { $0.kind == .sound } == pieces)
            #expect(report.tasks.count { $0.kind == .measure } == (pieces == 1 ? 0 : 20))
            let file = cutfarm.folder.path("\(names.count)-\(pieces).wav")
            let fetched = try await farm.run("fetch", id.description, "-o", file)
            #expect(fetched.exitCode == 0, "\(fetched.errors)")
            files.append(try Data(contentsOf: URL(fileURLWithPath: file)))
            // A movie's pictures wait for no round, and its sound is the same.
            if names.count == 2 {
                let movie = try await farm.submit(edit, ["--preset", "lossless", "--segments", "3"])
                #expect(try await farm.wait(for: movie).job.state == .completed)
                let path = cutfarm.folder.path("movie.mkv")
                _ = try await farm.run("fetch", movie.description, "-o", path)
                let (sum, other) = (try await soundSum(path), try await soundSum(file))
                #expect(sum == other && sum.hasPrefix("MD5="))
            }
            try await farm.stop(workers)
        }
        #expect(Set(files).count == 1)
        let meter = ["-nostdin", "-hide_banner", "-i", cutfarm.folder.path("2-5.wav"), "-af", "ebur128=peak=true"]
        let said = try await Shell.run("ffmpeg", meter + ["-f", "null", "-"]).errors
        let lines = said.split(separator: "\n").suffix(14)
        func value(_ name: String) throws -> Double {
            let line = try #require(lines.last { $0.contains(name) }, "\(said)")
            return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
        }
        #expect(abs(try value(" I:") + 18) <= 0.5)
        #expect(try value("Peak:") <= -5.9)
        #expect(ProcessList.naming(cutfarm.folder.url.path).isEmpty)
    }
}
