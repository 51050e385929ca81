import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Sound of which some bytes are wrong: it is heard as far as it goes, and its user is told where it is not.
@Suite(.serialized)
struct DamagedSoundTests {
    /// 20 s that are damaged at 40 and at 80 % of the file.
    private func damage(_ name: String, in cutfarm: Cutfarm, _ codec: [String]) async throws -> String {
        let path = cutfarm.folder.path(name)
        let sweep = "aevalsrc='0.3*sin((250+450*t)*t)|0.3*sin((56000-700*t)*t)':s=48000:d=20"
        try await Shell.ffmpeg(["-f", "lavfi", "-i", sweep] + codec + [path])
        try WrongBytes.write(1500, at: [40, 80], of: path)
        return path
    }

    private func files(in cutfarm: Cutfarm) async throws -> [String] {
        [
            try await damage("a.flac", in: cutfarm, ["-c:a", "flac"]),
            try await damage("a.mp3", in: cutfarm, ["-c:a", "libmp3lame", "-b:a", "128k"]),
            try await damage("a.m4a", in: cutfarm, ["-c:a", "aac", "-b:a", "128k"]),
        ]
    }

    private func edit(_ cutfarm: Cutfarm) throws -> String {
        try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "flac": "a.flac", "mp3": "a.mp3", "aac": "a.m4a" },
              "tracks": [
                { "kind": "audio", "segments": [{ "asset": "flac", "duration": "19s" }] },
                { "kind": "audio", "segments": [{ "asset": "mp3", "duration": "19s" }] },
                { "kind": "audio", "segments": [{ "asset": "aac", "duration": "10s" }] } ] }
            """
        )
    }

    private func warnings(_ outcome: Shell.Outcome) -> [String] {
        outcome.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("Warning: ") }
    }

    @Test func aFileIsHeardAndItsUserIsTold() async throws {
        let cutfarm = try Cutfarm()
        for file in try await files(in: cutfarm) {
            for command in [
                ["loudness", file], ["waveform", file, "-o", "-"], ["read", file, "--format", "wav", "-o", "-"],
            ] {
                let outcome = try await cutfarm.run(command)
                #expect(outcome.exitCode == 0, "\(outcome.errors)")
                let told = warnings(outcome)
                let words = "Warning: \(file): its sound is damaged at "
                #expect(told.count == 1, "\(told)")
                #expect(told.allSatisfy { $0.hasPrefix(words + "7.") || $0.hasPrefix(words + "8.") }, "\(told)")
                #expect(told.allSatisfy { $0.contains(" and at 1 more place up to 1") })
            }
        }
    }

    @Test func anEditIsRenderedAndItsUserIsTold() async throws {
        let cutfarm = try Cutfarm()
        _ = try await files(in: cutfarm)
        let edit = try edit(cutfarm)
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let access = ["--coordinator", farm.address, "--token-file", cutfarm.folder.path("token")]
        let output = ["--preset", "wav", "--watch", "-o", cutfarm.folder.path("out.wav")]
        let outcome = try await cutfarm.run(["submit", edit] + access + output)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let told = warnings(outcome)
        let names = ["aac", "flac", "mp3"].map { "Warning: Asset “\($0)”: its sound is damaged at " }
        #expect(told.count == 3 && zip(told.sorted(), names).allSatisfy { $0.hasPrefix($1) }, "\(told)")
        // Only what is heard of it.
        #expect(told.map { $0.contains("more place") }.filter(\.self).count == 2, "\(told)")
        let id = try #require(outcome.text.split(separator: " ").first.flatMap { JobID(text: String($0)) })
        let shown = try await farm.run("show", id.description)
        #expect(told.allSatisfy { shown.text.contains($0) }, "\(shown.text)")
        let report = try await farm.show(id).tasks.flatMap { $0.statistics?.warnings ?? [] }
        #expect(report.map(\.code) == Array(repeating: "sound_damaged", count: 3))

        let measured = try await cutfarm.run(["loudness", edit] + access)
        #expect(measured.exitCode == 0 && warnings(measured).sorted() == told.sorted(), "\(measured.errors)")
        try await farm.stop([worker])
    }

    /// Known before anything is decoded, and heard as far as it goes.
    @Test func aFileThatIsCutOffIsTold() async throws {
        let cutfarm = try Cutfarm()
        let path = cutfarm.folder.path("cut.mp3")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "sine=d=20:r=48000", "-c:a", "libmp3lame", path])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
        let words = "its sound is cut off, or a part is missing: its header promises 20"
        let probed = try await cutfarm.run(["probe", path])
        #expect(probed.exitCode == 0 && probed.text.contains(words), "\(probed.text)")
        for command in [
            ["loudness", path], ["waveform", path, "-o", "-"], ["read", path, "--format", "wav", "-o", "-"],
        ] {
            let outcome = try await cutfarm.run(command)
            #expect(outcome.exitCode == 0 && outcome.errors.contains("\(path): warning: \(words)"), "\(outcome.errors)")
        }
        let edit = try cutfarm.write(
            "cut.json",
            """
            { "schema": "edit/1",
              "format": { "size": [64, 36], "frameRate": "25", "sampleRate": 48000, "channels": 2 },
              "assets": { "music": "cut.mp3" },
              "tracks": [{ "kind": "audio", "segments": [
                { "asset": "music", "duration": "2s" }, { "asset": "music", "in": "5s", "duration": "3s" } ] }] }
            """
        )
        let output = ["--preset", "wav", "-o", cutfarm.folder.path("cut.wav")]
        for command in [["check", edit], ["loudness", edit], ["render", edit] + output] {
            let outcome = try await cutfarm.run(command)
            let said = (outcome.text + outcome.errors).split(separator: "\n").filter { $0.contains("[damaged-sound]") }
            #expect(outcome.exitCode == 0 && said.count == 1, "\(outcome.errors)")
            #expect(said.allSatisfy { $0.contains("warning: asset \"music\": \(words)") }, "\(said)")
        }
    }
}
