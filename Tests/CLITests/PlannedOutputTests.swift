import ArgumentParser
import Client
import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing

@testable import CLI

@Suite struct PlannedOutputTests {
    private func paths(
        _ destination: String?,
        preset: String? = nil,
        files: [String] = ["out.mp4"],
        needsFiles: Bool = false
    ) async throws -> [String?] {
        let farm = try await ScriptedCoordinator()
        let document = try #require(try EditFile.load(try farm.edit(files: files), assets: []).read.document)
        return try PlannedOutput.list(
            document,
            title: "edit.json",
            preset: preset,
            destination: destination,
            isForced: false,
            needsFiles: needsFiles
        ).map(\.path)
    }

    @Test(arguments: [
        ("a.mp4", "h264"), ("a.M4V", "h264-720p"), ("a.b.mp4", "h264"), ("a.mkv", "lossless"),
        ("a.mp4", "no such preset"),
    ])
    func namesThatFit(name: String, preset: String) async throws {
        #expect(try await paths(name, preset: preset) == [name])
    }

    @Test(arguments: [
        ("a.mkv", "h264", "not .mkv; `--preset lossless` makes such a file; call it a.mp4."),
        ("a.mov", "h264", "makes a file that is named .mp4, not .mov; call it a.mp4."),
        ("a.mp4", "lossless", "not .mp4; `--preset h264` makes such a file; call it a.mkv."),
        ("a.webm", "lossless", "named .mkv, not .webm; call it a.mkv."),
        ("a.gif", "h264", "not .gif; call it a.mp4."), ("a.hevc", "h264", "not .hevc; call it a.mp4."),
        ("a.m3u8", "h264", "not .m3u8; call it a.mp4."), ("a.txt", "h264", "not .txt; call it a.mp4."),
        ("f_%04d.png", "h264", "not .png; images are made by `cutfarm still`; call it f_%04d.mp4."),
        ("y.JPG", "h264", "not .jpg; images are made by `cutfarm still`; call it y.mp4."),
        ("g", "h264", "and this name has no ending; call it g.mp4."),
        ("../g", "h264", "no ending; call it ../g.mp4."), ("a.b/g", "h264", "no ending; call it a.b/g.mp4."),
        ("a.part", "lossless", "named .mkv, not .part; call it a.mkv."),
    ])
    func namesOfOtherFiles(name: String, preset: String, says: String) async throws {
        let error = await #expect(throws: CommandFailure.self) { try await paths(name, preset: preset) }
        #expect(error?.status == .usage)
        let line = try #require(error?.lines.first)
        #expect(line.hasPrefix("\(name): the preset \(preset) makes a file that is named .") && line.hasSuffix(says))
    }

    /// The edit's own name counts like one on the command line, also for a preset that replaces the edit's, as soon as
    /// something is to be written there.
    @Test func theEditsOwnName() async throws {
        #expect(try await paths(nil) == ["out.mp4"])
        #expect(try await paths(nil, preset: "lossless") == ["out.mp4"])
        let error = await #expect(throws: CommandFailure.self) {
            try await paths(nil, preset: "lossless", needsFiles: true)
        }
        #expect(error?.lines.first?.hasSuffix("; give -o out.mkv.") == true, "\(error?.lines ?? [])")
    }

    @Test func severalOutputsNeedAFolder() async throws {
        let folder = try TemporaryFolder()
        let missing = await #expect(throws: CommandFailure.self) {
            try await paths(folder.path("movies"), files: ["a.mp4", "b.mp4"])
        }
        #expect(missing?.lines.first?.hasSuffix("make it first: mkdir -p \(folder.path("movies"))") == true)
        try Data().write(to: URL(fileURLWithPath: folder.path("file")))
        let file = await #expect(throws: CommandFailure.self) {
            try await paths(folder.path("file"), files: ["a.mp4", "b.mp4"])
        }
        #expect(file?.lines.first?.hasSuffix("file is a file; name a folder.") == true)
        let found = try await paths(folder.url.path, files: ["x/a.mp4", "b.mp4"], needsFiles: true)
        #expect(found == ["a.mp4", "b.mp4"].map(folder.path))
    }

    /// As the edit says, else after the edit: also when `--preset` makes another kind of file than the edit names.
    @Test(arguments: [(nil, "out.mp4"), ("h264", "edit.mp4"), ("lossless", "edit.mkv")] as [(String?, String)])
    func nameInAFolder(preset: String?, name: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await paths(folder.url.path, preset: preset, needsFiles: true) == [folder.path(name)])
    }

    @Test(
        arguments: [
            ("a/b.mp4", "t", "b.mp4"), (nil, "my.edit.json", "my.edit.mkv"), ("x/..", "t", "t.mkv"),
            ("y/", "t", "t.mkv"),
            (nil, "../../etc/x.json", "x.mkv"), (nil, "..", "movie.mkv"), (nil, "", "movie.mkv"), (nil, ".a", ".a.mkv"),
        ] as [(String?, String, String)]
    )
    func movieNames(written: String?, title: String, name: String) {
        #expect(MovieName.inFolder(written: written, title: title, fileExtension: "mkv") == name)
    }

    /// An edit that names no output, and a command line that names no preset.
    @Test(arguments: [
        ("mix.wav", "wav"), ("mix.FLAC", "flac"), ("a/b.mp3", "mp3"), ("mix.opus", "opus"), ("mix.ogg", "opus"),
        ("mix.m4a", "aac"), ("movie.mp4", nil), ("movie.mkv", nil), ("mix", nil), (nil, nil),
    ])
    func aNameOfSoundIsAPreset(name: String?, preset: String?) throws {
        let tracks = #""assets": { "a": "a.mov" }, "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }]"#
        let open = EditReader.read("{ \"schema\": \"edit/1\", \(tracks) }").document
        var options = try OutputOptions.parse([])
        #expect(options.named(by: name, for: open).preset == preset)
        options.preset = "lossless"
        #expect(options.named(by: name, for: open).preset == "lossless")
        let outputs = #""outputs": [{ "preset": "h264" }]"#
        let decided = EditReader.read("{ \"schema\": \"edit/1\", \(tracks), \(outputs) }").document
        options.preset = nil
        #expect(options.named(by: name, for: decided).preset == nil)
    }

    /// What `render` would refuse, `check` finds.
    @Test func filesOfAnotherKindAreFindings() throws {
        let text = """
            { "schema": "edit/1", "assets": { "a": "a.mov" }, "tracks": [{ "kind": "audio", "segments": [{ "asset": "a" }] }],
              "outputs": [{ "preset": "h264", "file": "a.m4a" }, { "preset": "lossless", "file": "b.m4a" },
                          { "preset": "lossles", "file": "c.mp4" }, { "preset": "lossless", "file": "d.mkv" }] }
            """
        let findings = WrittenOutput.findings(try #require(EditReader.read(text).document))
        #expect(findings.map(\.pointer) == ["/outputs/1/file"])
        #expect(findings.map(\.suggestion) == ["\"b.mka\""])
    }

    @Test func oneLineClaimsAFileOnce() throws {
        var claims = OutputClaims()
        try claims.claim(["/a/x.mp4", "/a/y.mp4"], place: "1")
        #expect(throws: CommandFailure.self) { try claims.claim(["/a/z.mp4", "/b/../a/y.mp4"], place: "2") }
        try claims.claim(["/a/z.mp4"], place: "3")
        let error = #expect(throws: CommandFailure.self) { try claims.claim(["/q", "/q"], place: "4") }
        #expect(error?.lines == ["4: two of its outputs go to /q too; give each output a file of its own."])
    }
}
