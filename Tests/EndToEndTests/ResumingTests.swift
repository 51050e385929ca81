import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Uploads and movies on their way that are cut: a later attempt, or a later command, sends and fetches the rest.
@Suite(.serialized)
struct ResumingTests {
    /// Two sources of some megabytes, since noise does not compress, and an edit of both.
    private func prepare() async throws -> (Cutfarm, edit: String, byteCount: Int) {
        let cutfarm = try Cutfarm()
        var byteCount = 0
        for (name, seed) in [("a.mp4", 1), ("b.mp4", 2)] {
            let path = cutfarm.folder.path(name)
            try await Shell.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=4,noise=alls=90:allf=t:all_seed=\(seed)"]
                    + ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "4", "-g", "25", path]
            )
            byteCount += FileManager.default.contents(atPath: path)?.count ?? 0
        }
        try #require(byteCount > 6 << 20, "\(byteCount)")
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4", "b": "b.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }, { "asset": "b" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (cutfarm, try cutfarm.write("edit.json", text), byteCount)
    }

    private func words(_ command: [String], _ cutfarm: Cutfarm, _ relay: CuttingRelay) -> [String] {
        command + ["--coordinator", relay.address, "--token-file", cutfarm.folder.path("token")]
    }

    private func submission(_ edit: String, _ cutfarm: Cutfarm, _ relay: CuttingRelay, uploads: Int = 4) -> [String] {
        words(["submit", edit, "--uploads", String(uploads), "--state", cutfarm.state], cutfarm, relay)
    }

    @Test func anUploadThatIsCutGoesOn() async throws {
        let (cutfarm, edit, byteCount) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        // Each of the two files is half of all bytes, and is cut near its end.
        try relay.cut(.up, after: byteCount * 2 / 5)
        let outcome = try await Shell.run(Programs.cutfarm, submission(edit, cutfarm, relay))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(relay.passed(.up) < byteCount + 3 << 20, "what was there was not sent again")
        try await farm.stop()
    }

    /// The coordinator dies in the middle and comes back; the client waits for it and sends the rest.
    @Test func aCoordinatorThatIsKilledKeepsWhatItHas() async throws {
        let (cutfarm, edit, byteCount) = try await prepare()
        let farm = try await TestFarm(cutfarm, hasOwnDatabase: true)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        try relay.cut(.up, after: byteCount / 4, isHeld: true)
        let submit = try RunningProgram(
            Programs.cutfarm,
            submission(edit, cutfarm, relay, uploads: 1),
            log: cutfarm.folder.path("submit.log")
        )
        let folder = cutfarm.folder.path("farm/artifacts/uploads")
        try await waitUntil { relay.isHolding && self.stored(below: folder) > byteCount / 5 || submit.hasEnded }
        farm.coordinator.send(SIGKILL)
        _ = try await farm.coordinator.wait()
        let kept = stored(below: folder)
        #expect(kept > byteCount / 5)
        try relay.cut(.up, after: nil)
        let next = try await TestFarm(cutfarm, hasOwnDatabase: true)
        try relay.turn(to: next.address)
        relay.release()
        #expect(try await submit.wait() == 0, "\(cutfarm.folder.path("submit.log"))")
        #expect(relay.passed(.up) < byteCount + kept, "\(relay.passed(.up)) of \(byteCount), \(kept) before")
        try await next.stop()
    }

    /// Runs a program at a terminal of its own, and hands SIGINT to it.
    private static let terminal = """
        import os, pty, signal, sys
        child, terminal = pty.fork()
        if child == 0: os.execv(sys.argv[1], sys.argv[1:])
        signal.signal(signal.SIGINT, lambda *_: os.kill(child, signal.SIGINT))
        while True:
            try: piece = os.read(terminal, 65536)
            except OSError: break
            if not piece: break
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """

    /// Control-C in the middle of several uploads; the same command goes on.
    @Test func aLaterCommandSendsTheRest() async throws {
        let (cutfarm, edit, byteCount) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        try relay.cut(.up, after: byteCount / 3, isHeld: true)
        let log = cutfarm.folder.path("submit.log")
        let words = ["python3", "-c", Self.terminal, Programs.cutfarm] + submission(edit, cutfarm, relay)
        let submit = try RunningProgram("/usr/bin/env", words, log: log)
        func said() -> String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }
        try await waitUntil { relay.isHolding && said().contains("sending 2 files: ") || submit.hasEnded }
        submit.send(SIGINT)
        #expect(try await submit.wait() == 130)
        let lines = said().components(separatedBy: "\u{1b}[K").last?.components(separatedBy: "\r\n") ?? []
        #expect(lines.count == 3 && lines.first?.contains("the same command sends the rest") == true, "\(said())")
        #expect(lines.dropFirst() == ["Interrupted.", ""], "the line of the progress is gone: \(said())")
        try relay.cut(.up, after: nil)
        let before = relay.passed(.up)
        let outcome = try await Shell.run(Programs.cutfarm, submission(edit, cutfarm, relay))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(relay.passed(.up) - before < byteCount - byteCount / 5, "\(relay.passed(.up) - before) of \(byteCount)")
        try await farm.stop()
    }

    /// A movie that a farm has, and the bytes that it must have here.
    private func movie(_ cutfarm: Cutfarm, _ edit: String, _ farm: TestFarm) async throws -> (id: JobID, bytes: Data) {
        let worker = try farm.worker("one")
        let id = try await farm.submit(edit)
        try #require(try await farm.wait(for: id).job.state == .completed)
        try await waitUntil {
            worker.send(SIGTERM)
            return worker.hasEnded
        }
        let whole = cutfarm.folder.path("whole.mp4")
        #expect(try await farm.run("fetch", id.description, "-o", whole).exitCode == 0)
        let bytes = try #require(FileManager.default.contents(atPath: whole))
        try #require(bytes.count > 1 << 20, "\(bytes.count)")
        return (id, bytes)
    }

    private func files(_ cutfarm: Cutfarm) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: cutfarm.folder.url.path).filter { $0.hasPrefix("out.mp4") }
    }

    @Test func aMovieThatIsCutGoesOn() async throws {
        let (cutfarm, edit, _) = try await prepare()
        let farm = try await TestFarm(cutfarm)
        let (id, bytes) = try await movie(cutfarm, edit, farm)
        let relay = try await CuttingRelay(to: farm.address, in: cutfarm.folder)
        let output = cutfarm.folder.path("out.mp4")
        let fetch = words(["fetch", id.description, "-o", output], cutfarm, relay)
        // Within one command.
        try relay.cut(.down, after: bytes.count / 3)
        let outcome = try await Shell.run(Programs.cutfarm, fetch)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(FileManager.default.contents(atPath: output) == bytes)
        #expect(try files(cutfarm) == ["out.mp4"])
        #expect(relay.passed(.down) < bytes.count * 3 / 2)
        try FileManager.default.removeItem(atPath: output)
        // From one command to the next: the first is killed or interrupted.
        for signal in [SIGKILL, SIGINT] {
            try relay.cut(.down, after: bytes.count / 2, isHeld: true)
            let log = cutfarm.folder.path("fetch-\(signal).log")
            let first = try RunningProgram(Programs.cutfarm, fetch, log: log)
            try await waitUntil { relay.isHolding || first.hasEnded }
            try await waitUntil { try files(cutfarm).contains { self.size(cutfarm, $0) > bytes.count / 3 } }
            first.send(signal)
            _ = try await first.wait()
            #expect(try files(cutfarm).map { $0.hasPrefix("out.mp4.partial-") } == [true])
            relay.release()
            try relay.cut(.down, after: nil)
            let before = relay.passed(.down)
            let second = try await Shell.run(Programs.cutfarm, fetch)
            #expect(second.exitCode == 0, "\(second.errors)")
            #expect(FileManager.default.contents(atPath: output) == bytes)
            #expect(try files(cutfarm) == ["out.mp4"])
            #expect(relay.passed(.down) - before < bytes.count * 3 / 4, "\(relay.passed(.down) - before)")
            try FileManager.default.removeItem(atPath: output)
        }
        // What lies there is no beginning of the movie.
        let digest = ContentDigest(of: bytes)
        let partial = output + ".partial-" + digest.hex.prefix(16)
        var rotten = bytes.prefix(bytes.count / 2)
        rotten[100] ^= 1
        for other in [rotten, bytes + Data("more".utf8), bytes, Data(count: bytes.count), Data()] {
            try other.write(to: URL(fileURLWithPath: partial))
            try Data("old".utf8).write(to: URL(fileURLWithPath: output + ".partial-0123456789abcdef"))
            let outcome = try await Shell.run(Programs.cutfarm, fetch)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(FileManager.default.contents(atPath: output) == bytes)
            #expect(try files(cutfarm) == ["out.mp4"])
            try FileManager.default.removeItem(atPath: output)
        }
        try await farm.stop()
    }

    /// The bytes of all files in a folder and below it.
    private func stored(below folder: String) -> Int {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            let about = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            guard about?[.type] as? FileAttributeType == .typeRegular else { return sum }
            return sum + ((about?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    private func size(_ cutfarm: Cutfarm, _ name: String) -> Int {
        let size = try? FileManager.default.attributesOfItem(atPath: cutfarm.folder.path(name))[.size] as? NSNumber
        return size?.intValue ?? 0
    }
}
