import CompositionModel
import Foundation
import TestSupport
import Testing
import WireProtocol

/// Everything that can be wrong with what a user gives: one sentence, one exit code, nothing left behind.
@Suite(.serialized)
struct BadInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var segments: String
        /// Both are in the sentence.
        var mentions: [String]
        var preset = "lossless"
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        .init(
            name: "missing",
            segments: #"{"asset":"missing","duration":"1s"}"#,
            mentions: ["missing.mp4", "not exist"]
        ),
        .init(name: "not a movie", segments: #"{"asset":"text","duration":"1s"}"#, mentions: ["text", "no movie"]),
        .init(name: "truncated", segments: #"{"asset":"cut","duration":"1s"}"#, mentions: ["cut", "cut off"]),
        .init(name: "protected", segments: #"{"asset":"locked","duration":"1s"}"#, mentions: ["locked", "protection"]),
        .init(
            name: "in point past the end",
            segments: #"{"asset":"a","in":"50s","duration":"1s"}"#,
            mentions: ["50 s", "2 s"]
        ),
        .init(
            name: "overlap",
            segments: #"{"asset":"a","duration":"2s"},{"asset":"a","at":"1s","duration":"1s"}"#,
            mentions: ["1 s", "2 s"]
        ),
        .init(
            name: "transitions that meet",
            segments: #"{"asset":"a","duration":"2s"},{"transition":"dissolve","duration":"15f"},"#
                + #"{"asset":"a","duration":"1s"},{"transition":"dissolve","duration":"15f"},{"asset":"a","duration":"2s"}"#,
            mentions: ["15 frames", "25 frames"]
        ),
        .init(name: "float time", segments: #"{"asset":"a","duration":1.5}"#, mentions: [#""1.5s""#, "number"]),
        .init(
            name: "unknown key",
            segments: #"{"asset":"a","duratoin":"1s"}"#,
            mentions: ["duratoin", #""duration""#]
        ),
        .init(
            name: "unknown preset",
            segments: #"{"asset":"a","duration":"1s"}"#,
            mentions: ["losless", #""lossless""#],
            preset: "losless"
        ),
    ]

    private static func text(_ segments: String, preset: String = "lossless", kind: String = "video") -> String {
        """
        { "schema": "edit/1",
          "assets": { "a": "a.mp4", "missing": "missing.mp4", "text": "text.mp4", "cut": "cut.mp4", "locked": "locked.mp4" },
          "tracks": [{ "kind": "\(kind)", "segments": [\(segments)] }],
          "outputs": [{ "preset": "\(preset)", "file": "out.mkv" }] }
        """
        // Only what a case uses is named: other faults would add sentences of their own.
        .replacing(#/"(missing|text|cut|locked)": "[a-z]+.mp4"(, )?/#) { match in
            segments.contains("\"\(match.1)\"") ? String(match.0) : ""
        }
        .replacing(", }", with: " }")
    }

    private func prepare() async throws -> Cutfarm {
        let cutfarm = try Cutfarm()
        let folder = cutfarm.folder
        let movie = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-f", "lavfi", "-i", "sine=440:d=2"]
        try await Shell.ffmpeg(movie + ["-c:v", "libx264", "-c:a", "aac", folder.path("a.mp4")])
        try await Shell.ffmpeg(
            ["-i", folder.path("a.mp4"), "-c", "copy", "-encryption_scheme", "cenc-aes-ctr"]
                + ["-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb"]
                + ["-encryption_kid", "a7e61c373e219033c21091fa607bf3b8", folder.path("locked.mp4")]
        )
        _ = try cutfarm.write("text.mp4", "This is no movie.\n")
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path("a.mp4")))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder.path("cut.mp4")))
        return cutfarm
    }

    private func render(_ cutfarm: Cutfarm, _ text: String) async throws -> Shell.Outcome {
        let edit = try cutfarm.write("edit.json", text)
        return try await cutfarm.run("render", edit, "-o", cutfarm.folder.path("out.mkv"), "--workers", "1")
    }

    private func expectNothingLeft(_ cutfarm: Cutfarm, _ comment: Comment) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: cutfarm.folder.url.path)
        #expect(!names.contains { $0.hasPrefix("out.mkv") }, comment)
        #expect(cutfarm.leftovers().isEmpty, comment)
    }

    @Test func eachSaysItsOneSentence() async throws {
        let cutfarm = try await prepare()
        for bad in Self.cases {
            let outcome = try await render(cutfarm, Self.text(bad.segments, preset: bad.preset))
            #expect(outcome.exitCode == 2, "\(bad.name)")
            // Some name an asset besides that nothing uses.
            let lines = outcome.errors.split(separator: "\n").filter { !$0.contains(" warning: ") }
            #expect(lines.count == 1, "\(bad.name): \(outcome.errors)")
            for word in bad.mentions { #expect(outcome.errors.contains(word), "\(bad.name): \(outcome.errors)") }
            #expect(outcome.text.isEmpty)
            try expectNothingLeft(cutfarm, "\(bad.name)")
        }
    }

    /// Each bad asset is a finding where the edit names it, together with what is wrong with the layout.
    @Test(arguments: ["check", "plan", "explain", "render", "submit"])
    func allBadAssetsAreFoundAtOnce(command: String) async throws {
        let cutfarm = try await prepare()
        _ = try cutfarm.write("empty.mp4", "")
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "format": { "size": [64, 64], "frameRate": "25" },
              "assets": { "a": "a.mp4", "missing": "missing.mp4",
                "text": "text.mp4", "empty": "empty.mp4", "cut": "cut.mp4", "folder": "." },
              "tracks": [{ "kind": "video", "segments": [
                { "asset": "missing", "duration": "1s" }, { "asset": "text", "duration": "1s" },
                { "asset": "empty", "duration": "1s" }, { "asset": "cut", "duration": "1s" },
                { "asset": "folder", "duration": "1s" }, { "asset": "a", "at": "1s", "duration": "1s" },
                { "asset": "a", "in": "50s", "duration": "1s" }] }] }
            """
        )
        // Nothing is asked of a farm when it shows here already.
        let farm = ["--coordinator", "http://127.0.0.1:1", "--token-file", try cutfarm.write("token", "no-such-token")]
        let to = ["render": ["-o", cutfarm.folder.path("out.mp4")], "submit": farm][command] ?? []
        let outcome = try await cutfarm.run([command, edit] + to)
        #expect(outcome.exitCode == 2)
        let wanted = [
            "/assets/missing", "/assets/text", "/assets/empty", "/assets/cut", "/assets/folder",
            "/tracks/0/segments/5/at", "/tracks/0/segments/6/in",
        ]
        let lines = outcome.errors.split(separator: "\n")
        #expect(Set(lines.compactMap { $0.split(separator: " at ").last.map(String.init) }) == Set(wanted), "\(lines)")
        #expect(lines.count == wanted.count && lines.allSatisfy { $0.contains("edit.json:") })
        try expectNothingLeft(cutfarm, "\(command)")
        guard command == "check" else { return }
        let json = try await cutfarm.run("check", edit, "--json")
        let findings = try WireJSON.decode([Finding].self, from: json.output).filter { $0.severity == .error }
        #expect(json.exitCode == 2 && findings.map(\.rule).count == wanted.count)
        #expect(findings.filter { $0.rule == "asset-unreadable" }.count == 4)
        #expect(findings.allSatisfy { $0.line > 0 && $0.column > 0 })
    }

    /// `check` and `plan` find what `render` would refuse, and need no place where they could remember anything.
    @Test(arguments: ["check", "plan"])
    func aFileOfAnotherKindIsFoundBeforeRendering(command: String) async throws {
        let cutfarm = try await prepare()
        let good = Self.text(#"{"asset":"a","duration":"1s"}"#)
        let edit = try cutfarm.write("edit.json", good.replacing("out.mkv", with: "out.mp4"))
        let refused = try await Shell.run("env", [Programs.cutfarm, command, edit, "--state", "/proc/nowhere"])
        #expect(refused.exitCode == 2 && refused.errors.contains("[file-kind] at /outputs/0/file"), "\(refused.errors)")
        #expect(refused.errors.contains(#"(write "out.mkv")"#) && refused.errors.contains("edit.json:4:"))
        let other = try await Shell.run(
            "env",
            [Programs.cutfarm, command, edit, "--preset", "h264", "--state", "/proc/nowhere"]
        )
        #expect(other.exitCode == 0, "\(other.errors)")
        _ = try cutfarm.write("edit.json", good)
        let taken = try await Shell.run("env", [Programs.cutfarm, command, edit, "--state", "/proc/nowhere"])
        #expect(taken.exitCode == 0, "\(taken.errors)")
    }

    @Test func aFontThatIsNotThereIsNamed() async throws {
        let cutfarm = try Cutfarm()
        let title = #"{"text":"x","at":"0s","duration":"1s","font":{"family":"No Such Font"}}"#
        let outcome = try await render(cutfarm, Self.text(title, kind: "title"))
        #expect(outcome.exitCode == 2 && outcome.errors.contains("[font-missing]"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\"No Such Font\""))
        try expectNothingLeft(cutfarm, "title")
    }

    /// The rules of the errors that a command reports for an edit, in their order.
    private func rules(
        _ command: String,
        _ cutfarm: Cutfarm,
        _ text: String,
        _ options: [String] = []
    ) async throws -> [String] {
        let edit = try cutfarm.write("edit.json", text)
        let farm = ["--coordinator", "http://127.0.0.1:1", "--token-file", try cutfarm.write("token", "no-such-token")]
        let to = ["render": ["-o", cutfarm.folder.path("out.mp4")], "submit": farm][command] ?? []
        let outcome = try await cutfarm.run([command, edit] + to + options)
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
        let errors = outcome.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        return errors.compactMap { line in line.firstMatch(of: /\[([a-z-]+)\]/).map { String($0.1) } }
    }

    /// A font that is missing hides no missing file, no clip past its end and no bad preset.
    @Test(arguments: ["check", "plan", "render", "submit"]) func aMissingFontHidesNothing(command: String) async throws
    {
        let cutfarm = try await prepare()
        let text = """
            { "schema": "edit/1", "format": { "size": [64, 64], "frameRate": "25" },
              "assets": { "a": "a.mp4", "missing": "missing.mp4" },
              "tracks": [
                { "kind": "video", "segments": [
                  { "asset": "a", "in": "50s", "duration": "1s" }, { "asset": "missing", "duration": "1s" }] },
                { "kind": "title", "segments": [
                  { "text": "x", "at": "0s", "duration": "1s", "font": { "family": "No Such Font" } }] }],
              "outputs": [{ "preset": "losless", "file": "out.mkv" }] }
            """
        let found = try await rules(command, cutfarm, text)
        #expect(found.sorted() == ["asset-missing", "font-missing", "in-past-end", "unknown-preset"], "\(found)")
        try expectNothingLeft(cutfarm, "\(command)")
    }

    /// Words that cannot be read hide no missing file and no bad preset.
    @Test(arguments: ["check", "render"]) func wrongWordsHideNothing(command: String) async throws {
        let cutfarm = try await prepare()
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4", "missing": "missing.mp4" },
              "tracks": [{ "kind": "vidoe", "segments": [{ "asset": "a", "in": 3 }, { "asset": "missing" }] }],
              "outputs": [{ "preset": "h265", "crf": 20 }] }
            """
        let found = try await rules(command, cutfarm, text)
        let wanted = ["asset-missing", "time-is-number", "unknown-key", "unknown-preset", "unknown-value"]
        #expect(found.sorted() == wanted, "\(found)")
        try expectNothingLeft(cutfarm, "\(command)")
    }

    /// Words that cannot be read do not hide that the command's own preset does not exist; the edit's outputs, which it
    /// replaces, do not count.
    @Test(arguments: ["check", "plan", "render"]) func wrongWordsDoNotHideTheCommandsPreset(
        command: String
    ) async throws {
        let cutfarm = try await prepare()
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mp4" },
              "tracks": [{ "kind": "vidoe", "segments": [{ "asset": "a" }] }], "outputs": [{ "preset": "h265" }] }
            """
        let found = try await rules(command, cutfarm, text, ["--preset", "losless"])
        #expect(found.sorted() == ["unknown-preset", "unknown-value"], "\(found)")
        let known = try await rules(command, cutfarm, text, ["--preset", "lossless"])
        #expect(known == ["unknown-value"], "\(known)")
    }

    /// It is found while rendering, by a worker that knows the file by its digest only.
    @Test func damageInTheMiddleNamesTheAssetAndTheTime() async throws {
        let cutfarm = try Cutfarm()
        let movie = cutfarm.folder.path("a.mp4")
        try await Shell.ffmpeg(["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-c:v", "png", "-f", "mov", movie])
        let places = try await Shell.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", movie]
        )
        let place = try #require(places.text.split(separator: "\n").map { UInt64($0.prefix { $0.isNumber }) }[30])
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: movie))
        try file.seek(toOffset: place)
        try file.write(contentsOf: Data(count: 64))
        try file.close()
        let outcome = try await render(cutfarm, Self.text(#"{"asset":"a","duration":"2s"}"#))
        #expect(outcome.exitCode == 4)
        #expect(outcome.errors.contains("Asset “a”: Frame 30 of stream 0, at 1.2 s,"), "\(outcome.errors)")
        try expectNothingLeft(cutfarm, "damaged")
    }

    @Test func anOutputThatExistsIsNotTouched() async throws {
        let cutfarm = try await prepare()
        let output = try cutfarm.write("taken.mkv", "mine")
        let edit = try cutfarm.write("edit.json", Self.text(#"{"asset":"a","duration":"1s"}"#))
        let outcome = try await cutfarm.run("render", edit, "-o", output)
        #expect(outcome.exitCode == 6 && outcome.errors.contains("--force"), "\(outcome.errors)")
        #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
        #expect(cutfarm.leftovers().isEmpty)
        #expect(try await cutfarm.run("render", edit, "-o", output, "--force", "--workers", "1").exitCode == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: output)).starts(with: [0x1A, 0x45, 0xDF, 0xA3]))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may mount a small file system"))
    func noSpaceForTheOutput() async throws {
        let cutfarm = try await prepare()
        let tiny = cutfarm.folder.path("tiny")
        try FileManager.default.createDirectory(atPath: tiny, withIntermediateDirectories: true)
        let mounted = try await Shell.run("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", tiny])
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
        let edit = try cutfarm.write("edit.json", Self.text(#"{"asset":"a","duration":"2s"}"#))
        let outcome = try await cutfarm.run("render", edit, "-o", tiny + "/out.mkv", "--workers", "1")
        let names = try FileManager.default.contentsOfDirectory(atPath: tiny)
        _ = try await Shell.run("umount", [tiny])
        #expect(outcome.exitCode == 7 && outcome.errors.contains("No space left"), "\(outcome.errors)")
        #expect(names.isEmpty)
        #expect(cutfarm.leftovers().isEmpty)
    }

    /// Where the farm's own folder has no room for the source or for the parts, it fails at once and says where. It needs
    /// room for nothing else.
    @Test(
        .enabled(if: geteuid() == 0, "only root may mount a small file system"),
        arguments: [("64k", 7), ("200k", 7), ("4m", 0)] as [(String, Int32)]
    )
    func noSpaceForTheFarm(size: String, status: Int32) async throws {
        let cutfarm = try await prepare()
        try FileManager.default.createDirectory(atPath: cutfarm.state, withIntermediateDirectories: true)
        let mounted = try await Shell.run(
            "mount",
            ["-t", "tmpfs", "-o", "size=\(size),mode=755", "tmpfs", cutfarm.state]
        )
        try #require(mounted.exitCode == 0, "\(mounted.errors)")
        let outcome = try await render(cutfarm, Self.text(#"{"asset":"a","duration":"1s"}"#))
        let left = cutfarm.leftovers()
        _ = try await Shell.run("umount", [cutfarm.state])
        #expect(outcome.exitCode == status, "\(outcome.errors)")
        let last = outcome.errors.split(separator: "\n").last ?? ""
        #expect(status == 0 || last.contains("space in \(cutfarm.state)"), "\(outcome.errors)")
        #expect(left.isEmpty)
    }

    @Test(arguments: ["presets", "schema", "--help"]) func standardOutputThatIsFull(command: String) async throws {
        let words = [Programs.cutfarm, command]
        let full = try await Shell.run("sh", ["-c", "\"$0\" \"$1\" > /dev/full"] + words)
        #expect(full.exitCode == 7)
        #expect(full.errors == "Standard output cannot be written: No space left on device.\n", "\(full.errors)")
        let closed = try await Shell.run("sh", ["-c", "\"$0\" \"$1\" >&-"] + words)
        #expect(closed.exitCode == 1 && closed.errors.contains("cannot be written"), "\(closed.errors)")
        // A reader that has seen enough is no error.
        let cut = try await Shell.run("bash", ["-c", "set -o pipefail; \"$0\" \"$1\" | true"] + words)
        #expect(cut.exitCode == 0 && cut.errors.isEmpty, "\(cut.errors)")
    }

    @Test func nobodyThereOrNotAllowed() async throws {
        let cutfarm = try await prepare()
        let edit = try cutfarm.write("edit.json", Self.text(#"{"asset":"a","duration":"1s"}"#))
        let token = try cutfarm.write("wrong", "no-such-token-0123456789")
        let alone = try await cutfarm.run("submit", edit, "--coordinator", "http://127.0.0.1:1", "--token-file", token)
        #expect(alone.exitCode == 5 && alone.errors.split(separator: "\n").count == 1, "\(alone.errors)")
        let farm = try await TestFarm(cutfarm)
        let refused = try await cutfarm.run("submit", edit, "--coordinator", farm.address, "--token-file", token)
        #expect(refused.exitCode == 3 && refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
        let jobs = try await farm.run("jobs", "--json")
        #expect(try WireJSON.decode([JobView].self, from: jobs.output).isEmpty)
        let worker = try farm.worker("wrong", "--token-file", token)
        #expect(try await worker.wait() == 3)
        try await farm.stop()
    }
}
