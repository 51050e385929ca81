import Foundation
import TestSupport
import Testing
import WireProtocol

/// A worker that stands still for longer than its lease, as a suspended machine does, and then goes on as if nothing
/// had happened.
@Suite struct StoppedWorkerTests {
    /// The stopped worker has rendered its task, and its completion is on the way when it stops. It arrives while
    /// another worker holds the task: the coordinator refuses it, and the movie is the undisturbed one.
    @Test func whatItDeliversTooLateIsRefused() async throws {
        let (cutfarm, edit) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let first = try farm.worker("first")
        let undisturbed = try await farm.wait(for: try await farm.submit(edit, ["--segments", "1"]))
        try await end(first)

        let late = try await Relay(to: farm.address, "late", in: cutfarm.folder)
        let stopped = try farm.worker("stopped", through: late.address)
        let job = try await farm.submit(edit, ["--segments", "1"])
        try await waitUntil { !late.held.isEmpty }
        stopped.send(SIGSTOP)
        let attempt = try #require(late.held.first)

        let other = try await Relay(to: farm.address, "other", in: cutfarm.folder)
        let successor = try farm.worker("successor", "--slots", "2", through: other.address)
        try await farm.wait(for: job) { report in
            report.tasks.contains { $0.attempts.contains { "\($0.id)" == attempt } && $0.isHeld(by: "successor") }
        }
        stopped.send(SIGCONT)
        try late.open()
        try await waitUntil { late.status(of: attempt) != nil }
        #expect(late.status(of: attempt) == 409)
        try other.open()
        let report = try await farm.wait(for: job)
        #expect(report.job.state == .completed)
        #expect(report.job.artifact == undisturbed.job.artifact)
        let task = try #require(report.tasks.first { $0.attempts.contains { "\($0.id)" == attempt } })
        #expect(task.attempts.map(\.state) == [.superseded, .completed], "\(task.attempts)")
        #expect(task.attempts.map(\.workerName) == ["stopped", "successor"])
        try await farm.stop([stopped, successor])
    }

    private func prepare() async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-f", "lavfi", "-i", "sine=440:r=48000:d=2"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", cutfarm.folder.path("a.mp4")]
        )
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "2s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (cutfarm, try cutfarm.write("edit.json", text))
    }

    private func end(_ worker: RunningProgram) async throws {
        worker.send(SIGTERM)
        #expect(try await worker.wait() == 0)
    }
}

extension TaskView {
    fileprivate func isHeld(by name: String) -> Bool {
        state == .leased && attempts.last.map { $0.workerName == name && $0.state == .live } ?? false
    }
}
