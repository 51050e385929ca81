import Bitstream
import Foundation
import TestSupport
import Testing

/// The smallest level that holds a stream is the one that x264 and x265 choose, from tables of their own.
@Suite struct LevelTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let size: String
        let rate: Int
        let references: Int

        var testDescription: String { "\(size) \(rate) \(references)" }
    }

    static let cases = [
        Case(size: "128x96", rate: 15, references: 1), Case(size: "176x144", rate: 15, references: 4),
        Case(size: "176x144", rate: 30, references: 1), Case(size: "320x240", rate: 20, references: 6),
        Case(size: "352x288", rate: 30, references: 3), Case(size: "352x576", rate: 25, references: 2),
        Case(size: "720x576", rate: 12, references: 3), Case(size: "720x576", rate: 25, references: 5),
        Case(size: "1280x720", rate: 30, references: 5), Case(size: "1280x720", rate: 60, references: 4),
        Case(size: "1920x1080", rate: 30, references: 4), Case(size: "1920x1080", rate: 30, references: 8),
        Case(size: "1920x1080", rate: 60, references: 4), Case(size: "2560x1440", rate: 30, references: 5),
        Case(size: "3840x2160", rate: 30, references: 4), Case(size: "3840x2160", rate: 60, references: 4),
        Case(size: "4096x64", rate: 25, references: 1), Case(size: "7680x4320", rate: 30, references: 2),
    ]

    private func level(_ item: Case, _ codec: [String], _ format: String) async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try await Shell.ffmpeg(
            [
                "-f", "lavfi", "-i", "color=s=\(item.size):r=\(item.rate)", "-frames:v", "1", "-pix_fmt", "yuv420p",
                "-preset", "ultrafast", "-threads", "1",
            ] + codec + ["-f", format, folder.path("a")]
        )
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("a"))))
    }

    @Test(arguments: cases) func x264ChoosesTheSame(item: Case) async throws {
        let options = ["-c:v", "libx264", "-x264-params", "ref=\(item.references):bframes=0"]
        let stream = try await level(item, options, "h264")
        let sps = try H264SPS(try #require(AnnexB.units(of: stream[...]).first { H264UnitType(of: $0) == .sps }))
        let demand = H264Level.Demand(
            width: sps.widthInMacroblocks,
            height: sps.heightInMacroblocks,
            framesPerSecond: item.rate,
            frameBuffering: try #require(sps.frameBuffering)
        )
        #expect(H264Level.smallest(holding: demand)?.idc == sps.level)
        #expect(sps.frameBuffering == item.references && H264Level(of: sps)?.idc == sps.level)
    }

    @Test(arguments: cases.filter { $0.size != "7680x4320" && $0.size != "4096x64" })
    func x265ChoosesTheSame(item: Case) async throws {
        let parameters = "log-level=none:pools=1:bframes=0:ref=\(min(item.references, 5))"
        let stream = try await level(item, ["-c:v", "libx265", "-x265-params", parameters], "hevc")
        let nal = try #require(AnnexB.units(of: stream[...]).first { try HEVCUnitHeader(of: $0).type == .sps })
        let sps = try HEVCSPS(nal)
        let demand = HEVCLevel.Demand(
            width: sps.width,
            height: sps.height,
            picturesPerSecond: item.rate,
            buffering: sps.highestBuffering.pictures
        )
        #expect(HEVCLevel.smallest(holding: demand)?.idc == sps.profileTierLevel.level)
    }

    /// Table A-1 and A.3.1 by hand.
    @Test func limitsOfTheStandard() throws {
        let level = try #require(H264Level(idc: 40))
        #expect(level.frames(ofMacroblocks: 8160) == 4 && level.frames(ofMacroblocks: 99) == 16)
        func holds(_ bits: Int, _ profile: Int) -> Bool {
            level.holds(
                .init(width: 120, height: 68, framesPerSecond: 30, frameBuffering: 4, bitRate: bits),
                profile: profile
            )
        }
        #expect(holds(24_000_000, 77) && !holds(24_000_001, 77))
        #expect(holds(30_000_000, 100) && !holds(30_000_001, 100) && holds(96_000_000, 122))
        #expect(!level.holds(.init(width: 120, height: 68, framesPerSecond: 31, frameBuffering: 4)))
        #expect(!level.holds(.init(width: 120, height: 68, framesPerSecond: 30, frameBuffering: 5)))
        #expect(!level.holds(.init(width: 257, height: 1, framesPerSecond: 1, frameBuffering: 1)))
        var sps = H264SPS()
        (sps.profile, sps.level, sps.constraints) = (66, 11, 0b0001_0000)
        #expect(H264Level(of: sps)?.idc == 9 && H264Level(idc: 12)?.idc == 12 && H264Level(idc: 14) == nil)
        let high = try #require(HEVCLevel(idc: 120))
        #expect(high.pictures(ofSamples: 1920 * 1080) == 6 && high.pictures(ofSamples: 1280 * 720) == 12)
        #expect(high.pictures(ofSamples: 552_960) == 16 && high.pictures(ofSamples: 1_500_000) == 8)
        let main = HEVCLevel.Demand(width: 1920, height: 1080, picturesPerSecond: 30, buffering: 6, bitRate: 20_000_000)
        #expect(!high.holds(main))
        var tier = main
        tier.isHighTier = true
        #expect(high.holds(tier))
    }

    @Test func whatAnSPSWithoutRestrictionImplies() {
        var sps = H264SPS()
        (sps.level, sps.widthInMacroblocks, sps.heightInMapUnits) = (31, 80, 45)
        #expect(sps.frameBuffering == 5 && sps.reorderFrames == 5)
        sps.restrict(reorderFrames: 1, frameBuffering: 2)
        #expect(sps.frameBuffering == 2 && sps.reorderFrames == 1)
        sps.vui = nil
        sps.orderType = 2
        #expect(sps.reorderFrames == 0)
        (sps.orderType, sps.constraints) = (0, 0b0001_0000)
        #expect(sps.frameBuffering == 0 && sps.reorderFrames == 0)
    }
}
