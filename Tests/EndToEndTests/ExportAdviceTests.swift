import Foundation
import TestSupport
import Testing

/// What a refused export says to do instead does it, as it is typed.
@Suite(.serialized) struct ExportAdviceTests {
    private let cutfarm: Cutfarm

    init() throws { cutfarm = try Cutfarm() }

    private static let movie = [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i", "sine=440:r=48000:d=4", "-ac", "2",
    ]
    private static let h264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "25", "-color_range", "tv",
        "-colorspace",
        "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
    ]

    private func make(_ name: String, _ arguments: [String]) async throws -> String {
        let path = cutfarm.folder.path(name)
        try await Shell.ffmpeg(arguments + [path])
        return path
    }

    /// Each has a file that a container cannot hold as it is, and the container.
    private static let misfits: [(name: String, coding: [String], output: String)] = [
        ("vp9.mkv", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus"], "out.ts"),
        ("pcm.mkv", h264 + ["-c:a", "pcm_s16le"], "out.mp4"), ("h264.mp4", h264 + ["-c:a", "aac"], "out.webm"),
        ("it's.mp4", h264 + ["-c:a", "aac"], "it's new.webm"),
    ]

    @Test(arguments: misfits)
    func aContainerThatHoldsIt(name: String, coding: [String], output: String) async throws {
        let path = try await make(name, Self.movie + coding)
        let outcome = try await cutfarm.run(["export", path, "-o", cutfarm.folder.path(output)])
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
        let hint = try await cutfarm.runHint(of: outcome)
        #expect(hint.exitCode == 0, "\(outcome.errors)\(hint.errors)")
        // The ending that the refusal names is one that works.
        let ending = try #require(outcome.errors.firstMatch(of: #/; write (\.\w+)/#).map { String($0.1) })
        let copied = try await cutfarm.run(["export", path, "-o", cutfarm.folder.path("copied" + ending)])
        #expect(copied.exitCode == 0, "\(outcome.errors)\(copied.errors)")
    }

    /// Where no container holds all of the file, none is named.
    @Test func noContainerHoldsIt() async throws {
        let text = try cutfarm.write("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello\n")
        let arguments = ["-i", text, "-map", "0", "-map", "1", "-map", "2", "-c:s", "mov_text"] + Self.h264
        let turned = try await make("turned.mov", Self.movie + arguments + ["-c:a", "pcm_s16le"])
        let path = try await make("a.mov", ["-i", turned, "-map", "0", "-c", "copy", "-metadata:s:v", "rotate=90"])
        let outcome = try await cutfarm.run(["export", path, "-o", cutfarm.folder.path("out.mkv")])
        #expect(outcome.exitCode == 2 && outcome.errors.contains("; write .mov, or copy its pictures unturned with"))
        let dropped = try await cutfarm.run(["export", path, "-o", cutfarm.folder.path("out.mkv"), "--drop-unfit"])
        #expect(
            dropped.exitCode == 0 && dropped.errors.contains("its pictures are copied unturned."),
            "\(dropped.errors)"
        )
        let hint = try await cutfarm.runHint(of: outcome)
        #expect(hint.exitCode == 0, "\(hint.errors)")
    }

    /// A range of a file whose pictures allow no exact cut there, and joined files that differ.
    @Test func rangesAndJoins() async throws {
        let one = try await make("one.mp4", Self.movie + Self.h264 + ["-c:a", "aac"])
        let other = try await make("two.mp4", Self.movie + Self.h264 + ["-bf", "0", "-refs", "2", "-c:a", "aac"])
        let small = try await make("small.mp4", ["-i", one, "-vf", "scale=80:60", "-c:a", "copy"] + Self.h264)
        let joined = try await cutfarm.run(["export", one, other, "-o", cutfarm.folder.path("joined.mp4")])
        #expect(joined.exitCode == 2, "\(joined.errors)")
        #expect(
            joined.errors.contains("video/0 of \(other) has another value in SPS 0, of "),
            "\(joined.errors)"
        )
        for outcome in [
            joined, try await cutfarm.run(["export", one, small, "-o", cutfarm.folder.path("small.mkv")]),
            try await cutfarm.run(
                ["export", one, small, "-o", cutfarm.folder.path("range.mp4"), "--range", "1s", "3.04s"]
            ),
        ] {
            #expect(outcome.exitCode == 2 && outcome.errors.contains("To encode"), "\(outcome.errors)")
            let hint = try await cutfarm.runHint(of: outcome)
            #expect(hint.exitCode == 0, "\(outcome.errors)\(hint.errors)")
        }
        let frames = try await ExportedFile(path: cutfarm.folder.path("range.mp4")).pictures().count
        #expect(frames == 76)
    }

    /// `--smart` says it where it changes nothing.
    @Test func smartThatChangesNothing() async throws {
        let path = try await make("one.mp4", Self.movie + Self.h264 + ["-c:a", "aac"])
        let clip =
            "{ \"schema\": \"edit/1\", \"assets\": { \"a\": \"\(path)\" }, \"tracks\": "
            + "[{ \"kind\": \"video\", \"segments\": [{ \"asset\": \"a\" }] }] }"
        let edit = try cutfarm.write("edit.json", clip)
        for (preset, words) in [
            ("lossless", "--smart changes nothing: the preset lossless copies no coded pictures; h264 does so"),
            ("match", "--smart changes nothing: the preset match copies what it can by itself."), ("h264", nil),
        ] {
            for command in ["plan", "check"] {
                let outcome = try await cutfarm.run(command, edit, "--smart", "--preset", preset)
                #expect(outcome.exitCode == 0)
                #expect(outcome.errors.contains("--smart") == (words != nil), "\(outcome.errors)")
                if let words { #expect(outcome.errors.contains(words), "\(outcome.errors)") }
            }
        }
    }
}
