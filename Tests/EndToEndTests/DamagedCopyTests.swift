import Foundation
import TestSupport
import Testing

/// Sound that is copied, of a source in which packets are damaged although nothing in the container says so.
@Suite(.serialized) struct DamagedCopyTests {
    /// SHA-256 of each packet of sound, without headers of ADTS.
    private func packets(_ path: String, _ more: [String] = []) async throws -> [String] {
        let arguments = ["-i", path, "-map", "0:a", "-c", "copy"] + more + ["-f", "framehash", "-hash", "sha256", "-"]
        let text = String(decoding: try await Shell.ffmpeg(arguments), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").dropFirst(5).first.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test(arguments: [["--smart"], ["--preset", "match"]])
    func noDamagedPacketIsCopied(options: [String]) async throws {
        let cutfarm = try Cutfarm()
        let path = cutfarm.folder.path("a.ts")
        let inputs = [
            "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=20", "-f", "lavfi", "-i",
            "anoisesrc=r=48000:a=0.3:seed=4:d=20",
        ]
        let codecs = ["-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-c:a", "aac", "-ac", "2", "-b:a", "192k"]
        let color = ["-pix_fmt", "yuv420p", "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709"]
        try await Shell.ffmpeg(inputs + codecs + color + ["-color_trc", "bt709", path])
        let whole = try await packets(path, ["-bsf:a", "aac_adtstoasc"])
        try TransportDamage.write(60, at: [40, 70], identifier: 257, of: path)
        let damaged = try await packets(path, ["-bsf:a", "aac_adtstoasc"])
        let wrong = zip(whole, damaged).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        #expect((2...4).contains(wrong.count), "\(wrong)")
        let edit = try cutfarm.write(
            "edit.json",
            """
            { "schema": "edit/1", "assets": { "a": "a.ts" },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "a" }] }] }
            """
        )
        let output = cutfarm.folder.path("out.mp4")
        let outcome = try await cutfarm.run(["render", edit, "-o", output] + options)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let written = Set(try await packets(output))
        #expect(wrong.allSatisfy { !written.contains(damaged[$0]) && !written.contains(whole[$0]) })
        let copied = whole.indices.filter { written.contains(whole[$0]) }
        #expect(copied.count > whole.count * 9 / 10, "\(copied.count) of \(whole.count)")
        // The sound begins with the pictures or a little before or behind them.
        let told = outcome.errors.split(separator: "\n").filter { $0.contains("its sound is damaged at ") }
        try #require(told.count == 1, "\(outcome.errors)")
        let times = told[0].matches(of: #/([0-9.]+) s/#).compactMap { Double($0.1) }
        let wanted = [wrong.first, wrong.last].compactMap { $0.map { Double($0) * 1024 / 48_000 } }
        #expect(zip(times, wanted).allSatisfy { abs($0 - $1) < 0.12 }, "\(told[0]), and not \(wanted)")
        print("\(options): \(told[0])")
    }
}
