import Foundation
import TestSupport
import Testing
import Timing
import WireProtocol

/// The dashboard of a real farm, in a browser, as a person goes through it: signing in, dropping an edit, watching its
/// segments, a failure and its retry, cancelling, filtering, a lost connection, and signing out.
@Suite struct DashboardWalkTests {
    private static let chromium = "/usr/bin/chromium"
    private static let firefox = "/usr/bin/firefox-esr"

    /// The script of axe-core, where `scripts/install-dependencies test` could fetch it.
    private static var axe: String? {
        let path = Programs.repository.appendingPathComponent(".build/axe/axe.min.js").path
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// What `Tests/Oracles/dashboard_walk.py` is told.
    private struct Configuration: Encodable {
        var address: String
        var token: String
        var workerToken: String
        var worker: [String]
        var submit: [String]
        var edit: String
        var media: [String]
        var timecodes: [[String]]
        var axe: String?
    }

    /// Frames at several rates with their timecodes.
    private static func timecodes() throws -> [[String]] {
        try ["25/1", "24000/1001", "30000/1001", "60000/1001"].flatMap { text in
            let words = text.split(separator: "/").compactMap { Int64($0) }
            let rate = try FrameRate(words[0], words[1])
            let frames: [Int64] = [0, 1799, 1800, 3599, 3600, 17_981, 17_982, 107_892, 5_000_000]
            return frames.map { frame in
                let code = Timecode(frame: frame, at: rate, isDropFrame: Timecode.allowsDropFrame(rate))
                return ["\(frame)", text, "\(code)"]
            }
        }
    }

    /// A movie of 4 s, and an edit of it with a dissolve, higher than wide.
    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        let folder = cutfarm.folder
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=180x320:r=25:d=4", "-f", "lavfi", "-i", "sine=440:r=48000:d=4"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac", folder.path("a.mp4")]
        )
        let edit = try cutfarm.write(
            "walk.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [
                { "asset": "a", "duration": "2s" }, { "transition": "dissolve", "duration": "10f" },
                { "asset": "a", "in": "1s", "duration": "2s" }, { "asset": "a", "duration": "2s" }] }],
              "outputs": [{ "preset": "h264" }] }
            """
        )
        return (cutfarm, edit)
    }

    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: chromium),
            "Chromium is missing: scripts/install-dependencies test"
        )
    ) func aPersonGoesThroughIt() async throws {
        let (cutfarm, edit) = try await prepare()
        let folder = cutfarm.folder
        let farm = try await TestFarm(cutfarm)
        let configuration = Configuration(
            address: farm.address,
            token: "end-to-end-token-0123456789",
            workerToken: "end-to-end-worker-0123",
            worker: [
                Programs.cutfarm, "worker", "--coordinator", farm.address, "--token-file", folder.path("worker-token"),
                "--name", "walker", "--cache", folder.path("cache"), "--until-input-closes",
            ],
            submit: [
                Programs.cutfarm, "submit", edit, "--coordinator", farm.address, "--token-file", folder.path("token"),
            ],
            edit: edit,
            media: [folder.path("a.mp4")],
            timecodes: try Self.timecodes(),
            axe: Self.axe
        )
        let file = try cutfarm.write(
            "walk-configuration.json",
            String(decoding: JSONEncoder().encode(configuration), as: UTF8.self)
        )
        let script = Programs.repository.appendingPathComponent("Tests/Oracles/dashboard_walk.py").path
        let outcome = try await Shell.run("python3", [script, file])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.hasSuffix("done\n"))
        try await farm.stop()
    }

    /// The player in another browser, of a job that is completed.
    @Test(
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: firefox),
            "Firefox ESR is missing: scripts/install-dependencies thorough"
        )
    ) func firefoxPlaysIt() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let job = try await farm.submit(edit)
        try await farm.wait(for: job)
        let configuration = [
            "browser": "firefox", "address": farm.address, "token": "end-to-end-token-0123456789",
            "job": job.description,
        ]
        let file = try cutfarm.write(
            "player-configuration.json",
            String(decoding: JSONEncoder().encode(configuration), as: UTF8.self)
        )
        let script = Programs.repository.appendingPathComponent("Tests/Oracles/dashboard_player.py").path
        let outcome = try await Shell.run("python3", [script, file])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text == "done\n")
        try await farm.stop([worker])
    }
}
