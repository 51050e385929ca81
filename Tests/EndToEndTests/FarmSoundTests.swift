import Foundation
import Shared
import TestSupport
import Testing

/// Sound that is long enough for several pieces, through a whole farm.
@Suite(.serialized) struct FarmSoundTests {
    /// Six minutes in four pieces, two of AAC: 44.1 kHz AAC with noise substitution and an AC-3, under a limiter.
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
                    { "asset": "music", "duration": "190s" },
                    { "transition": "dissolve", "duration": "2s" },
                    { "asset": "music", "in": "5s", "duration": "172s", "volume": [
                        { "at": "0s", "value": 0.2 }, { "at": "150s", "value": "-3dB" } ] } ] },
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
        var frameCount: Int64 = 0
        for names in [["one"], ["one", "two"]] {
            let farm = try await TestFarm(cutfarm, "farm-\(names.count)")
            var workers = try names.map { try farm.worker($0) }
            for preset in ["wav", "aac"] {
                let file = cutfarm.folder.path("\(names.count).\(preset == "wav" ? "wav" : "m4a")")
                let id = try await farm.submit(edit, ["--preset", preset])
                if names.count == 2, preset == "wav" {
                    try await farm.wait(for: id) { report in report.tasks.contains { $0.state == .completed } }
                    workers[0].send(SIGKILL)
                    workers.removeFirst()
                    workers.append(try farm.worker("three"))
                }
                let report = try await farm.wait(for: id, .seconds(150))
                #expect(report.job.state == .completed)
                frameCount = report.job.frameCount
                #expect(report.tasks.filter { $0.kind == .sound }.count == (preset == "wav" ? 4 : 2))
                let fetched = try await farm.run("fetch", id.description, "-o", file)
                #expect(fetched.exitCode == 0, "\(fetched.errors)")
                files[preset, default: []].insert(try Data(contentsOf: URL(fileURLWithPath: file)))
            }
            try await farm.stop(workers)
        }
        #expect(files["wav"]?.count == 1 && files["aac"]?.count == 1)
        let samples = (frameCount * 1001 * 48_000 * 2 + 30_000) / 60_000
        #expect(abs(samples - 360 * 48_000) < 3000)
        let counts = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", cutfarm.folder.path("1.m4a")]
        )
        #expect(counts.text == "\(samples)\n")
        let clean = try await Shell.run(
            "ffmpeg",
            ["-nostdin", "-v", "warning", "-i", cutfarm.folder.path("1.m4a"), "-f", "null", "-"]
        )
        #expect(clean.exitCode == 0 && clean.errors.isEmpty, "\(clean.errors)")
        #expect(ProcessList.naming(cutfarm.folder.url.path).isEmpty)
    }
}
