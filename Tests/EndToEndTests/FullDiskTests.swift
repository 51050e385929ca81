import Foundation
import TestSupport
import Testing
import WireProtocol

/// A farm whose disks fill up while it works, and get room again: nobody has to restart anything.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root may mount a small file system"))
struct FullDiskTests {
    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4", "-c:v", "libx264", "-g", "25"]
                + [cutfarm.folder.path("a.mp4")]
        )
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "4s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (cutfarm, try cutfarm.write("edit.json", text))
    }

    private func mount(_ path: String, megabytes: Int) async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options = "size=\(megabytes)m,mode=755"
        let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
    }

    private func ready(_ farm: TestFarm) async throws -> String {
        let asked = try await Shell.run("curl", ["-s", "-w", " %{http_code}", farm.address + "/readyz"])
        return asked.text
    }

    /// Fills the file system of `folder` but for `left` KiB.
    private func fill(_ folder: String, leaving left: Int = 0) async throws {
        let script = #"dd if=/dev/zero of="$0/ballast" bs=64k 2> /dev/null; truncate -s -$1 "$0/ballast""#
        _ = try await Shell.run("sh", ["-c", script, folder, "\(left << 10)"])
    }

    @Test func jobsWaitForRoomAndComeToTheirEnd() async throws {
        let (cutfarm, edit) = try await prepare()
        let expected = try await cutfarm.render(edit, to: "expected.mp4", ["--segments", "4"])
        let state = cutfarm.folder.path("farm")
        try await mount(state, megabytes: 192)
        let farm = try await TestFarm(cutfarm, hasOwnDatabase: true)
        let id = try await farm.submit(edit, ["--segments", "4"])
        #expect(try await ready(farm).hasSuffix(" 200"))
        // 3 MiB are the low-water mark of this disk.
        try await fill(state, leaving: 2 << 10)
        let worker = try farm.worker("one")
        let refusal = try await ready(farm)
        #expect(refusal.hasSuffix(" 503") && refusal.contains("no_space") && !refusal.contains(state), "\(refusal)")
        try await farm.wait(for: id) { $0.job.onHold != nil }
        let table = try await farm.run("jobs").text
        #expect(table.contains("queued, waits") && table.contains("disk is nearly full"), "\(table)")
        #expect(try await farm.show(id).tasks.allSatisfy(\.attempts.isEmpty))
        try FileManager.default.removeItem(atPath: state + "/ballast")
        let report = try await farm.wait(for: id)
        #expect(report.job.state == .completed && report.job.onHold == nil)
        let output = cutfarm.folder.path("out.mp4")
        #expect(try await farm.run("fetch", id.description, "-o", output).exitCode == 0)
        #expect(FileManager.default.contentsEqual(atPath: output, andPath: expected))
        try await farm.stop([worker])
        _ = try await Shell.run("umount", ["-l", state])
    }

    /// A cache that somebody removes while its worker works is made again.
    @Test func aCacheThatIsRemovedIsMadeAgain() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        try await farm.wait(for: try await farm.submit(edit, ["--segments", "2"]))
        try FileManager.default.removeItem(atPath: cutfarm.folder.path("cache"))
        let report = try await farm.wait(for: try await farm.submit(edit, ["--segments", "4"]))
        #expect(report.job.state == .completed)
        #expect(report.tasks.allSatisfy { $0.attempts.count == 1 }, "\(report.tasks)")
        try await farm.stop([worker])
    }
}
