import CompositionModel
import Foundation
import TestSupport
import Testing
import Timing

@testable import Rendering

/// What the joined sound's track says of itself.
@Suite struct StitchedSoundTests {
    /// Matroska writes the priming into the track's head, and players drop as much.
    @Test func primingIsTold() async throws {
        let folder = try TemporaryFolder()
        let edit = try await TestTimeline.example()
        let ranges = edit.ranges(1)
        let samples = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.aac, samples: samples, to: folder.path("sound"))
        let parts = try edit.render(ranges, in: folder)
        let path = folder.path("movie.mkv")
        let task = try edit.stitchTask(ranges, container: .matroska, sound: true)
        _ = try Stitcher.stitch(task, parts: parts, sounds: [sound], to: path) { _ in }
        let shown = ["-v", "error", "-select_streams", "a", "-show_entries", "stream=initial_padding", "-of"]
        #expect(try await Shell.run("ffprobe", shown + ["csv=p=0", path]).text.contains("1024"))
    }

    /// FLAC's own documentation: 36 bits from the middle of byte 13 on.
    @Test func aFLACStreamKnowsItsLength() {
        let block = Data((0..<34).map { UInt8($0) })
        var expected = block
        expected.replaceSubrange(13..<18, with: [0x09, 0x87, 0x65, 0x43, 0x21])
        #expect(FLACStreamInfo.counted(block, sampleCount: 0x9_8765_4321) == expected)
        #expect(FLACStreamInfo.counted(block, sampleCount: 1 << 36) == block)
        #expect(FLACStreamInfo.counted(block.dropLast(), sampleCount: 1).count == 33)
    }
}
