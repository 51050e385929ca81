import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Testing
import Timing

/// Parts that are whole files with a right checksum, and are not what they say.
@Suite struct ForgedPartsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a part anew, each packet and the header as the bodies leave them.
    private func forged(
        _ path: String,
        header: (inout PacketFileHeader) -> Void = { _ in },
        packet change: (inout CodedPacket) -> Void = { _ in }
    ) throws -> String {
        let reader = try PacketFileReader(path: path)
        var own = reader.header
        header(&own)
        let forged = folder.path(UUID().uuidString)
        let writer = try PacketFileWriter(path: forged, header: own)
        while var packet = try reader.next() {
            change(&packet)
            try writer.write(packet)
        }
        try writer.finish(digests: reader.summary.digests)
        return forged
    }

    /// What stitching two halves of the example fails with.
    private func failure(_ edit: TestTimeline, parts: [String], sound: String? = nil) throws -> String {
        let task = try edit.stitchTask(edit.ranges(2), container: .matroska, sound: sound != nil)
        do {
            let path = folder.path("\(UUID().uuidString).mkv")
            _ = try Stitcher.stitch(task, parts: parts, sounds: sound.map { [$0] } ?? [], to: path) { _ in }
            return "none"
        } catch { return (error as? RenderError)?.failure.code ?? "\(error)" }
    }

    @Test func aFrameThatComesTwiceIsRefused() async throws {
        let edit = try await TestTimeline.example()
        var parts = try edit.render(edit.ranges(2), in: folder)
        #expect(try failure(edit, parts: parts) == "none")
        parts[1] = try forged(parts[1], packet: { if $0.displayIndex == 20 { $0.displayIndex = 19 } })
        #expect(try failure(edit, parts: parts) == "frames_missing")
    }

    /// The extradata says nothing of the rate.
    @Test func aPartOfAnotherRateIsRefused() async throws {
        let edit = try await TestTimeline.example()
        var parts = try edit.render(edit.ranges(2), in: folder)
        let rate = try FrameRate(24)
        parts[1] = try forged(
            parts[1],
            header: { header in
                guard case .video(var video) = header.content else { return }
                video.frameRate = rate
                header.content = .video(video)
            }
        )
        #expect(try failure(edit, parts: parts) == "parts_differ")
    }

    /// A packet of sound begins five samples behind the end of the one before it.
    @Test func aHoleInTheSoundIsRefused() async throws {
        let edit = try await TestTimeline.example()
        let parts = try edit.render(edit.ranges(2), in: folder)
        let samples = try edit.rate.sample(ofFrame: edit.frameCount, sampleRate: 48000)
        let sound = try TestSound.write(.pcm24, samples: samples, to: folder.path("sound"))
        #expect(try failure(edit, parts: parts, sound: sound) == "none")
        let holed = try forged(sound, packet: { if $0.decodeIndex == 3 { $0.displayIndex += 5 } })
        #expect(try failure(edit, parts: parts, sound: holed) == "samples_missing")
    }
}
