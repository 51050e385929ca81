import Bitstream
import CompositionModel
import Foundation
import Testing
import Timing

@testable import Rendering

/// The level that the sequences of one track say: at least what their size, rate, buffers and bits ask for (ITU-T H.264,
/// table A-1).
@Suite struct SharedLevelTests {
    private func header(_ level: Int, profile: Int = 100, buffering: Int? = nil, references: Int = 1) throws -> Data {
        var sps = H264SPS()
        (sps.profile, sps.level, sps.maxReferenceFrames) = (profile, level, references)
        (sps.widthInMacroblocks, sps.heightInMapUnits) = (120, 68)
        if let buffering { sps.restrict(reorderFrames: min(2, buffering), frameBuffering: buffering) }
        var pps = H264PPS()
        pps.spsID = sps.id
        return Data(AnnexB.stream(of: [try sps.nal()[...], try pps.nal(chromaFormat: 1)[...]]))
    }

    private func shared(_ headers: [Data], rate: Int64, delay: Int64 = 2, bitRate: Int = 0) throws -> [H264SPS] {
        let shared = try SharedParameterSets(
            headers: headers,
            TrackSignalling(
                color: .bt709,
                frameRate: FrameRate(rate),
                pixelAspect: RationalTime(whole: 1),
                reorderDelay: Int(delay),
                bitRate: bitRate
            )
        )
        var sets = H264ParameterSets()
        for nal in AnnexB.units(of: [UInt8](shared.extradata)[...]) { try sets.add(nal) }
        return sets.sps.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test func theHighestLevelCounts() throws {
        let found = try shared([header(40, buffering: 2), header(42, buffering: 3)], rate: 25)
        #expect(found.map(\.level) == [42, 42])
        #expect(found.map(\.vui?.restriction?.frameBuffering) == [3, 3])
        #expect(found.map(\.vui?.restriction?.reorderFrames) == [2, 2])
    }

    /// 1920×1088 has 8,160 macroblocks: 30 a second are level 4, 60 level 4.2; its buffer of 32,768 holds four frames.
    @Test func sizeRateAndBuffersAreHeld() throws {
        let plain = try header(30, buffering: 2)
        #expect(try shared([plain, header(40, buffering: 4)], rate: 25).map(\.level) == [40, 40])
        #expect(try shared([plain, header(40, buffering: 4)], rate: 60).map(\.level) == [42, 42])
        #expect(try shared([plain, header(40, buffering: 5)], rate: 25).map(\.level) == [50, 50])
        // References count where the VUI says less, and the movie's own delay.
        let wrong = try header(40, buffering: 1, references: 6)
        #expect(try shared([plain, wrong], rate: 25).map(\.level) == [50, 50])
        #expect(try shared([plain, plain], rate: 25, delay: 5).map(\.level) == [50])
        // Without a VUI, all that the level holds: 13 frames of level 5.
        let implied = try shared([plain, header(50)], rate: 25)
        #expect(implied.map(\.level) == [50, 50])
        #expect(implied.map(\.vui?.restriction?.frameBuffering) == [13, 13])
    }

    /// 30 Mbit/s are level 4 in High, 24 in Main; 4.1 has 75 and 60.
    @Test func bitsAreHeld() throws {
        let high = [try header(40, buffering: 2), try header(40, buffering: 3)]
        #expect(try shared(high, rate: 25, bitRate: 30_000_000).map(\.level) == [40, 40])
        #expect(try shared(high, rate: 25, bitRate: 30_000_001).map(\.level) == [41, 41])
        let main = [try header(40, profile: 77, buffering: 2)]
        #expect(try shared(main, rate: 25, bitRate: 25_000_000).map(\.level) == [41])
    }

    /// 13.2 Mbit/s are level 4 in the Main tier (ITU-T H.265, table A.9).
    @Test(arguments: [(13_200_000, 120), (13_200_001, 123)]) func bitsOfHEVCAreHeld(bitRate: Int, level: Int) throws {
        var sps = HEVCSPS()
        (sps.width, sps.height) = (1920, 1080)
        sps.profileTierLevel.level = 120
        sps.buffering = [HEVCBuffering(pictures: 4, reordered: 2)]
        var sets = HEVCParameterSets()
        sets.add(HEVCVPS())
        sets.add(sps)
        sets.add(HEVCPPS())
        var numbering = HEVCNumbering()
        _ = try numbering.add(sets)
        let signalling = TrackSignalling(
            color: .bt709,
            frameRate: try FrameRate(25),
            pixelAspect: RationalTime(whole: 1),
            reorderDelay: 2,
            bitRate: bitRate
        )
        #expect(try numbering.harmonised(signalling).sps.values.map(\.profileTierLevel.level) == [level])
    }

    @Test func partsOfASecondSayHowManyBits() throws {
        var load = BitLoad(try FrameRate(25))
        var part = PacketFileSummary()
        for (bytes, frames) in [(100_000, 50), (1_000_000, 5), (400_000, 25)] as [(Int64, Int64)] {
            (part.byteCount, part.unitCount) = (bytes, frames)
            load.add(part)
        }
        // A second of 400,000 bytes has 3.2 Mbit; the whole has 1.5 MB in 80 frames.
        #expect(load.bitRate == 3_750_000)
        load.add(part)
        load.add(part)
        load.add(part)
        #expect(load.bitRate == 3_483_871)
    }
}
