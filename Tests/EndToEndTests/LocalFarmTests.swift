import Foundation
import TestSupport
import Testing

/// The farm of `cutfarm render`, which lives in the command's own process.
@Suite(.serialized)
struct LocalFarmTests {
    /// Twenty seconds of moving picture and sound, and an edit of the first `seconds` of them.
    private func prepare(seconds: Int) async throws -> (Cutfarm, edit: String) {
        try await Cutfarm.showing(seconds: seconds, of: 20)
    }

    private func start(_ cutfarm: Cutfarm, _ edit: String, to output: String) throws -> RunningProgram {
        try RunningProgram(
            Programs.cutfarm,
            ["render", edit, "-o", output, "--workers", "2", "--segments", "4", "--state", cutfarm.state],
            log: cutfarm.folder.path("render.log")
        )
    }

    /// No database, and no second `cutfarm`: whatever is started on the way to the movie opens media in the sandbox.
    /// The movie is the one that a farm of several processes makes.
    @Test func onlyRenderProcessesAreStarted() async throws {
        let (cutfarm, edit) = try await prepare(seconds: 4)
        let output = cutfarm.folder.path("local.mp4")
        let render = try start(cutfarm, edit, to: output)
        var started: Set<String> = []
        try await waitUntil {
            started.formUnion(ProcessTree.programs(below: render.id))
            return render.hasEnded
        }
        #expect(try await render.wait() == 0)
        #expect(started == ["cutfarm-render"])
        #expect(cutfarm.leftovers().isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: cutfarm.state).sorted()
        #expect(names.allSatisfy { ["facts", "ledger", "parts", "sources"].contains($0) }, "\(names)")

        let farm = try await TestFarm(cutfarm)
        let worker = try farm.worker("one")
        let movie = cutfarm.folder.path("farm.mp4")
        _ = try await farm.submit(edit, ["--segments", "4", "--watch", "-o", movie])
        #expect(FileManager.default.contentsEqual(atPath: output, andPath: movie))
        try await farm.stop([worker])
    }

    /// Nothing can be tidied up then, but nothing goes on working either, and the next run removes what stayed.
    @Test func killedItLeavesNoProcess() async throws {
        let (cutfarm, edit) = try await prepare(seconds: 20)
        let render = try start(cutfarm, edit, to: cutfarm.folder.path("out.mp4"))
        try await waitUntil {
            ProcessTree.programs(below: render.id).contains("cutfarm-render") && !runs(cutfarm).isEmpty
        }
        render.send(SIGKILL)
        #expect(try await render.wait() == 128 + SIGKILL)
        try await waitUntil { ProcessList.naming(cutfarm.folder.url.path).isEmpty }
        #expect(runs(cutfarm).count == 1)
        let short = try String(contentsOfFile: edit, encoding: .utf8).replacing("\"20s\"", with: "\"1s\"")
        _ = try await cutfarm.render(try cutfarm.write("short.json", short), to: "short.mp4")
        #expect(runs(cutfarm).isEmpty)
    }

    /// Nobody makes room for the farm of one run: it fails at once, as what it is.
    @Test(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
    func aFullDiskIsNamed() async throws {
        let (cutfarm, edit) = try await prepare(seconds: 1)
        let state = cutfarm.state
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", state])
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
        _ = try await Shell.run("sh", ["-c", #"cat /dev/zero > "$0/ballast" 2> /dev/null"#, state])
        let output = cutfarm.folder.path("out.mp4")
        let outcome = try await cutfarm.run("render", edit, "-o", output)
        _ = try await Shell.run("umount", ["-l", state])
        #expect(outcome.exitCode == 7)
        #expect(outcome.errors.contains("no space left"), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    /// Parts of earlier runs go when the run needs their room while it works.
    @Test(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
    func partsOfEarlierRunsMakeRoom() async throws {
        let cutfarm = try Cutfarm()
        let noise = "testsrc2=s=640x360:r=25:d=10,noise=alls=100:allf=t:all_seed=1"
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", noise, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "10",
                cutfarm.folder.path("a.mp4"),
            ]
        )
        let state = cutfarm.state
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", "size=1g,mode=755", "tmpfs", state])
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
        func render(from start: String) async throws -> (parts: Int64, exitCode: Int32, said: String) {
            let edit = """
                { "schema": "edit/1", "assets": { "a": "a.mp4" }, "format": { "size": [640, 360], "frameRate": "25" },
                  "tracks": [{ "kind": "video", "segments": [
                    { "asset": "a", "in": "\(start)", "duration": "8s", "opacity": 0.9 }] }] }
                """
            let path = try cutfarm.write("edit.json", edit)
            let outcome = try await Shell.run(
                Programs.cutfarm,
                [
                    "render", path, "-o", cutfarm.folder.path("out.mkv"), "--preset", "lossless", "--force", "--state",
                    state,
                ]
            )
            let shelf = state + "/parts/bytes"
            let names = try FileManager.default.contentsOfDirectory(atPath: shelf)
            let sizes = try names.map {
                try FileManager.default.attributesOfItem(atPath: shelf + "/" + $0)[.size] as? Int64
            }
            return (sizes.compactMap(\.self).reduce(0, +), outcome.exitCode, outcome.errors)
        }
        let first = try await render(from: "0s")
        // A run needs room for its parts, for what its workers have of them, and for the movie: nearly three times as much as
        // the parts have. This is less, unless those of the first run go.
        let script = #"dd if=/dev/zero of="$0/ballast" bs=64k 2> /dev/null; truncate -s -$1 "$0/ballast""#
        _ = try await Shell.run("sh", ["-c", script, state, "\(first.parts * 12 / 5)"])
        let second = try await render(from: "1s")
        _ = try await Shell.run("umount", ["-l", state])
        #expect(first.exitCode == 0 && first.parts > 40 << 20, "else the reserve is room enough: \(first.said)")
        #expect(second.exitCode == 0, "\(second.said)")
        #expect(second.parts < first.parts * 3 / 2, "those of the first run are gone")
    }

    private func runs(_ cutfarm: Cutfarm) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cutfarm.state)) ?? []
        return names.filter { $0.hasPrefix("run-") }
    }
}

/// The processes that a process started, by /proc.
private enum ProcessTree {
    /// The names of the programs that run below `root`. A process that is about to become another program still has the
    /// command line of its parent, and is passed over.
    static func programs(below root: pid_t) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var parents: [pid_t: pid_t] = [:]
        var commands: [pid_t: Data] = [:]
        for id in names.compactMap(pid_t.init) {
            guard let line = FileManager.default.contents(atPath: "/proc/\(id)/stat") else { continue }
            // The name in parentheses may hold spaces; the state and the parent follow it (proc_pid_stat(5)).
            let words = String(decoding: line, as: UTF8.self).split(separator: ") ").last?.split(separator: " ") ?? []
            parents[id] = words.dropFirst().first.flatMap { pid_t($0) }
            commands[id] = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")
        }
        func isBelow(_ id: pid_t) -> Bool {
            guard let parent = parents[id], parent > 1 else { return false }
            return parent == root || isBelow(parent)
        }
        let below = commands.filter { isBelow($0.key) && !$0.value.isEmpty && $0.value != commands[root] }
        return Set(
            below.values.map { command in
                (String(decoding: command.prefix { $0 != 0 }, as: UTF8.self) as NSString).lastPathComponent
            }
        )
    }
}
