import Foundation
import Planning
import TestSupport
import Testing
import WireProtocol

/// The command line program with a state folder of its own, and what it says.
struct Cutfarm: Sendable {
    let folder: TemporaryFolder
    var state: String { folder.path("state") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Commands that know `--state`: render, plan, explain, check, probe, submit.
    func run(_ arguments: String...) async throws -> Shell.Outcome { try await run(arguments) }

    /// - Parameter keepsParts: whether parts of earlier runs are taken; else every run renders everything.
    func run(_ arguments: [String], keepsParts: Bool = false) async throws -> Shell.Outcome {
        let limit = keepsParts ? [] : ["CUTFARM_PARTS_LIMIT=0"]
        let outcome = try await Shell.run("env", limit + [Programs.cutfarm] + arguments + ["--state", state])
        #expect(!outcome.errors.contains("system calls that its sandbox does not have"), "\(outcome.errors)")
        return outcome
    }

    /// Writes `text` as `name`. - Returns: its path.
    func write(_ name: String, _ text: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// What `explain` prints, without the comments above it that say what was implied.
    func composition(of edit: String, _ options: [String] = []) async throws -> String {
        let outcome = try await run(["explain", edit] + options)
        guard outcome.exitCode == 0 else { throw Unexpected(description: "explain: " + outcome.errors) }
        return outcome.text.split(separator: "\n").filter { !$0.hasPrefix("//") }.joined(separator: "\n")
    }

    func plans(of edit: String, _ options: [String] = []) async throws -> [RenderPlan] {
        let outcome = try await run(["plan", edit, "--json"] + options)
        guard outcome.exitCode == 0 else { throw Unexpected(description: "plan: " + outcome.errors) }
        return try WireJSON.decode([RenderPlan].self, from: outcome.output)
    }

    /// Renders and throws with what was said on any other exit code than 0. - Returns: the movie's path.
    func render(_ edit: String, to name: String, _ options: [String] = []) async throws -> String {
        let path = folder.path(name)
        let outcome = try await run(["render", edit, "-o", path] + options)
        guard outcome.exitCode == 0 else { throw Unexpected(description: "render: " + outcome.errors) }
        return path
    }

    /// What runs of this state folder left: their own folders, and processes that name the test's folder.
    func leftovers() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
        return names.filter { $0.hasPrefix("run-") } + ProcessList.naming(folder.url.path)
    }
}

struct Unexpected: Error, CustomStringConvertible {
    let description: String
}

/// Processes of this machine by their command line.
enum ProcessList {
    static func naming(_ text: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.filter { Int($0) != nil }.compactMap { id in
            guard let line = FileManager.default.contents(atPath: "/proc/\(id)/cmdline") else { return nil }
            let words = String(decoding: line, as: UTF8.self).replacing("\0", with: " ")
            return words.contains(text) ? "\(id) \(words)" : nil
        }
    }
}

extension Cutfarm {
    /// A movie of moving picture and sound with a keyframe every second, and an edit of its beginning.
    /// - Parameters:
    ///   - seconds: the length of the edit.
    ///   - length: the length of the movie in seconds.
    static func showing(seconds: Int, of length: Int) async throws -> (Cutfarm, edit: String) {
        let cutfarm = try Cutfarm()
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=\(length)"]
                + ["-f", "lavfi", "-i", "sine=440:r=48000:d=\(length)"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "aac", cutfarm.folder.path("a.mp4")]
        )
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a", "duration": "\(seconds)s" }] }],
              "outputs": [{ "preset": "h264", "file": "out.mp4" }] }
            """
        return (cutfarm, try cutfarm.write("edit.json", text))
    }
}
