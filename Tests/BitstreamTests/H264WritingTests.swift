import Bitstream
import Foundation
import TestSupport
import Testing

/// What was read is written as the same bytes.
@Suite struct H264WritingTests {
    @Test(arguments: H264Sample.all) func whatWasReadIsWrittenAsItWas(sample: H264Sample) async throws {
        let units = AnnexB.units(of: try await sample.stream()[...])
        var sets = H264ParameterSets()
        for nal in units {
            try sets.add(nal)
            let written: [UInt8]? =
                switch H264UnitType(of: nal) {
                case .sps: try H264SPS(nal).nal()
                case .pps:
                    try H264PPS(nal) { sets.sps[$0]?.chromaFormat }.nal(chromaFormat: sets.sps[0]?.chromaFormat ?? 1)
                case .slice, .idrSlice: try H264Slice(nal, sets).nal(sets)
                default: nil
                }
            if let written { #expect(written == Array(nal)) }
        }
    }

    /// Every slice names another PPS, which names another SPS: the pictures stay the same, and nothing is complained of.
    /// A header that becomes 8 bits longer leaves the data at their place in a byte.
    @Test(arguments: Renaming.of(H264Sample.all, ids: [6, 15, 200])) func otherIdentifiersAreTheSamePictures(
        sample: H264Sample,
        id: Int
    ) async throws {
        let stream = try await sample.stream()
        let units = AnnexB.units(of: stream[...])
        var (old, new) = (H264ParameterSets(), H264ParameterSets())
        var rewritten: [ArraySlice<UInt8>] = []
        for nal in units {
            try old.add(nal)
            switch H264UnitType(of: nal) {
            case .sps:
                var sps = try H264SPS(nal)
                sps.id = id % 32
                try new.add(sps.nal()[...])
                rewritten.append(try sps.nal()[...])
            case .pps:
                var pps = try H264PPS(nal) { old.sps[$0]?.chromaFormat }
                pps.id += id
                pps.spsID = id % 32
                let bytes = try pps.nal(chromaFormat: new.sps[id % 32]?.chromaFormat ?? 1)
                try new.add(bytes[...])
                rewritten.append(bytes[...])
            case .slice, .idrSlice:
                var slice = try H264Slice(nal, old)
                slice.header.ppsID += id
                rewritten.append(try slice.nal(new)[...])
            // Those of HRD streams name the SPS.
            case .sei: break
            default: rewritten.append(nal)
            }
        }
        let frames = try await sample.frames()
        #expect(frames.count == sample.pictures)
        #expect(try await Decoded.frames(AnnexB.stream(of: rewritten), "h264") == frames)
    }

    /// h264_metadata writes the VUI that we write.
    @Test func theMetadataFilterReadsWhatWeWrite() async throws {
        let folder = try TemporaryFolder()
        let path = try await H264Sample.named("HRD").file(in: folder)
        let bytes = try await H264Sample.named("HRD").stream()
        let filter =
            "h264_metadata=sample_aspect_ratio=16/11:video_format=1:colour_primaries=9:transfer_characteristics=16:"
            + "matrix_coefficients=9:video_full_range_flag=1:tick_rate=60000/1001:fixed_frame_rate_flag=1:"
            + "chroma_sample_loc_type=2:level=5.1"
        try await Shell.ffmpeg(["-i", path, "-c", "copy", "-bsf:v", filter, folder.path("b.h264")])
        let theirs = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("b.h264"))))
        let old = try #require(AnnexB.units(of: bytes[...]).first { H264UnitType(of: $0) == .sps })
        let new = try #require(AnnexB.units(of: theirs[...]).first { H264UnitType(of: $0) == .sps })
        var sps = try H264SPS(old)
        var vui = try #require(sps.vui)
        #expect(vui.hasHRD)
        sps.level = 51
        vui.aspectRatio = AspectRatio(width: 16, height: 11)
        let colour = VideoSignal.Colour(primaries: 9, transfer: 16, matrix: 9)
        vui.signal = VideoSignal(format: 1, isFullRange: true, colour: colour)
        vui.timing = H264VUI.Timing(unitsInTick: 1001, timeScale: 60000, isFixedRate: true)
        vui.chromaLocation = ChromaLocation(top: 2, bottom: 2)
        sps.vui = vui
        #expect(try sps.nal() == Array(new))
        sps.vui?.removeHRD()
        sps.restrict(reorderFrames: 4, frameBuffering: 7)
        #expect(try H264SPS(sps.nal()[...]) == sps && sps.vui?.hasHRD == false)
    }
}
