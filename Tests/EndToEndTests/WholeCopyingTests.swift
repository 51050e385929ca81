import CompositionModel
import Foundation
import Planning
import TestSupport
import Testing
import Timing
import WireProtocol

/// The preset `match` with sources of codecs that nothing here encodes, on a farm.
@Suite(.serialized)
struct WholeCopyingTests {
    private static func edit(_ file: String, _ clips: String) -> String {
        """
        { "schema": "edit/1", "assets": { "a": "\(file)" },
          "tracks": [{ "kind": "video", "segments": [ \(clips) ] }],
          "outputs": [{ "preset": "match" }] }
        """
    }

    private static let clips = """
        { "asset": "a", "in": "13f", "duration": "1f" }, { "asset": "a", "in": "3f", "duration": "250f" },
        { "asset": "a", "in": "40f", "duration": "199f" }
        """

    /// A source of 300 frames with sound.
    private func make(_ file: String, _ coding: [String], in cutfarm: Cutfarm) async throws {
        let sound = ["-f", "lavfi", "-i", "sine=300:r=48000", "-t", "12", "-c:a", "pcm_s16le", "-ac", "2"]
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25"]
        try await Shell.ffmpeg(picture + sound + coding + [cutfarm.folder.path(file)])
    }

    private func hashes(_ path: String) async throws -> [String] {
        let output = ["-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"]
        let text = try await Shell.ffmpeg(["-i", path] + output)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map(String.init)
        }
    }

    /// One and two workers make the same file, of the source's frames.
    @Test(arguments: [
        ("a.mov", ["-c:v", "prores_ks", "-profile:v", "3"], "ProRes HQ in QuickTime"),
        ("a.mkv", ["-c:v", "mjpeg", "-q:v", "3", "-pix_fmt", "yuvj422p"], "Motion JPEG Baseline in Matroska"),
    ])
    func anyNumberOfWorkersMakesTheSameFile(file: String, coding: [String], words: String) async throws {
        let cutfarm = try Cutfarm()
        try await make(file, coding, in: cutfarm)
        let edit = try cutfarm.write("edit.json", Self.edit(file, Self.clips))
        let text = try await cutfarm.run("plan", edit).text
        #expect(text.contains("follows \"a\": \(words), every frame copied"), "\(text)")
        #expect(text.contains("copied: 450 of 450 frames, 100 %"), "\(text)")
        let name = file.suffix(3)
        let one = try await cutfarm.render(edit, to: "one.\(name)", ["--workers", "1"])
        let two = try await cutfarm.render(edit, to: "two.\(name)", ["--workers", "2"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: one)) == Data(contentsOf: URL(fileURLWithPath: two)))
        let (found, source) = (try await hashes(one), try await hashes(cutfarm.folder.path(file)))
        let shown: [String] = [source[13]] + Array(source[3..<253]) + Array(source[40..<239])
        #expect(found == shown)
        let messages = try await Shell.run("ffmpeg", ["-nostdin", "-v", "warning", "-i", one, "-f", "null", "-"]).errors
        #expect(messages.split(separator: "\n").filter { !$0.contains("Guessed Channel Layout") } == [])
        #expect(cutfarm.leftovers().isEmpty)
    }

    /// `plan`, `check`, `render` and `submit` refuse what would have to be encoded, with its frames.
    @Test func whatWouldBeEncodedIsListed() async throws {
        let cutfarm = try Cutfarm()
        try await make("a.mov", ["-c:v", "prores_ks"], in: cutfarm)
        let faded = Self.clips + #", { "asset": "a", "in": "0f", "duration": "50f", "opacity": 0.5 }"#
        let edit = try cutfarm.write("edit.json", Self.edit("a.mov", faded))
        let sentence =
            "\"a\" cannot be followed: ProRes HQ is copied and not encoded, and 50 frames cannot be copied "
            + "(00:00:18:00 to 00:00:19:24, frames 450 to 499: the picture is placed, cropped, faded or has an effect); "
            + "show nothing else, or use another preset, such as \"h264\""
        for command in [["plan", edit], ["check", edit], ["render", edit, "-o", cutfarm.folder.path("x.mov")]] {
            let outcome = try await cutfarm.run(command)
            #expect((outcome.errors + outcome.text).contains(sentence), "\(command): \(outcome.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: cutfarm.folder.path("x.mov")))
    }
}
