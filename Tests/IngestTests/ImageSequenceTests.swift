import EditLanguage
import Foundation
import TestSupport
import Testing
import Timing

@testable import Ingest

/// Numbered pictures become one movie.
@Suite struct ImageSequenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, frames: Int = 7, size: String = "64x36") async throws {
        try await Shell.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25", "-frames:v", "\(frames)", folder.path(name),
        ])
    }

    private func sequence(_ name: String) throws -> ImageSequence {
        try ImageSequence(pattern: folder.path(name), frameRate: FrameRate(30_000, 1001))
    }

    /// ffmpeg reads the movie as it reads the files: the same pictures, at the rate.
    @Test(arguments: ["frame_%04d.png", "%d.jpg", "shot-%03d-left.png"])
    func theMovieShowsTheFiles(name: String) async throws {
        try await make(name, frames: 12)
        let movie = folder.path("movie.mov")
        try sequence(name).write(to: movie)
        let raw = ["-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        let shown = try await Shell.ffmpeg(["-i", movie] + raw)
        let files = try await Shell.ffmpeg(["-i", folder.path(name)] + raw)
        #expect(shown == files && shown.count == 12 * 64 * 36 * 3)
        let facts = try await Shell.run(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "stream=r_frame_rate,nb_frames,duration_ts,time_base,width,height",
                "-of", "csv=p=0", movie,
            ]
        )
        #expect(facts.text.contains("64,36,30000/1001,1/30000,12012,12"), "\(facts.text)")
    }

    @Test func itIsMadeOnceAndAgainWhenAFileChanges() async throws {
        try await make("%d.png")
        let old = Date(timeIntervalSinceNow: -60)
        func age() throws {
            for number in 1...7 {
                let path = folder.path("\(number).png")
                try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
            }
        }
        try age()
        // The ledger believes no file that was changed a moment ago.
        let ledger = AssetLedger(stateFolder: folder.path("state"), now: { Date(timeIntervalSinceNow: 4) })
        let rate = try FrameRate(25)
        func movie(_ rate: FrameRate) async throws -> String? {
            try await ledger.file(for: .sequence(folder.path("%d.png"), rate))
        }
        let first = try await movie(rate)
        #expect(try await movie(rate) == first)
        #expect(try await movie(FrameRate(24)) != first)
        try FileManager.default.removeItem(atPath: folder.path("7.png"))
        #expect(try await movie(rate) != first)
    }

    @Test func whatIsNoSequenceIsSaid() async throws {
        try await make("a%02d.png")
        try await make("b%02d.png", frames: 1, size: "32x36")
        #expect(try sequence("a%02d.png").files.count == 7)
        try FileManager.default.removeItem(atPath: folder.path("a04.png"))
        func sentence(_ name: String) -> String {
            do { _ = try sequence(name) } catch { return "\(error)" }
            return ""
        }
        #expect(sentence("a%02d.png").contains("number 4 is missing"))
        #expect(sentence("c%02d.png").contains("no file"))
        try FileManager.default.copyItem(atPath: folder.path("b01.png"), toPath: folder.path("a04.png"))
        #expect(sentence("a%02d.png").contains("32x36"))
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: folder.path("d1.png")))
        #expect(sentence("d%d.png").contains("neither PNG nor JPEG"))
    }
}
