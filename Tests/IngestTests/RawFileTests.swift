import CompositionModel
import EditLanguage
import Foundation
import Ingest
import TestSupport
import Testing
import Timing

/// Files without a header come out as they went in.
@Suite struct RawFileTests {
    let folder: TemporaryFolder
    let ledger: AssetLedger

    init() throws {
        folder = try TemporaryFolder()
        ledger = AssetLedger(stateFolder: folder.path("state"))
    }

    @Test(arguments: RawPixelFormat.allCases) func everyPixelFormatIsReadBack(format: RawPixelFormat) async throws {
        let raw = folder.path("scan.yuv")
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=size=36x22:rate=25", "-frames:v", "5", "-pix_fmt", format.rawValue]
                + ["-f", "rawvideo", raw]
        )
        let rate = try FrameRate(30_000, 1001)
        let picture = RawPicture(pixelFormat: format, size: PictureSize(width: 36, height: 22), frameRate: rate)
        let movie = try #require(try await ledger.file(for: .raw(raw, .picture(picture))))
        let decoded = try await Shell.ffmpeg(["-i", movie, "-pix_fmt", format.rawValue, "-f", "rawvideo", "-"])
        #expect(try decoded == Data(contentsOf: URL(fileURLWithPath: raw)))
        let about = ["-v", "error", "-show_entries", "stream=pix_fmt,r_frame_rate", "-of", "csv=p=0", movie]
        let answer = try await Shell.run("ffprobe", about).text.split(separator: "\n").first
        #expect(answer == "\(format.rawValue),30000/1001")
    }

    @Test(arguments: RawSampleFormat.allCases) func everySampleFormatIsReadBack(format: RawSampleFormat) async throws {
        let raw = folder.path("voice.pcm")
        let name = format.rawValue
        try await Shell.ffmpeg(
            ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=0.3:a=0.5", "-ac", "1", "-c:a", "pcm_\(name)", "-f", name, raw]
        )
        let sound = RawSound(sampleFormat: format, sampleRate: 44_100, channels: 1)
        let file = try #require(try await ledger.file(for: .raw(raw, .sound(sound))))
        let decoded = try await Shell.ffmpeg(["-i", file, "-c:a", "pcm_\(name)", "-f", name, "-"])
        #expect(try decoded == Data(contentsOf: URL(fileURLWithPath: raw)))
    }

    @Test func aLengthThatDoesNotFitIsSaidInBytes() async throws {
        let raw = folder.path("scan.yuv")
        try Data(count: 1000).write(to: URL(fileURLWithPath: raw))
        let size = PictureSize(width: 16, height: 16)
        let picture = RawPicture(pixelFormat: .yuv420p, size: size, frameRate: try FrameRate(25))
        let error = await #expect(throws: MediaRefusal.self) {
            try await ledger.file(for: .raw(raw, .picture(picture)))
        }
        #expect(error?.description.contains("has 1000 bytes, no multiple of the 384 of a frame of 16x16") == true)
        let sound = RawSound(sampleFormat: .s24le, sampleRate: 48_000, channels: 2)
        let other = await #expect(throws: MediaRefusal.self) { try await ledger.file(for: .raw(raw, .sound(sound))) }
        #expect(other?.description.contains("no multiple of the 6 of a sample of 2 channels in s24le") == true)
    }
}
