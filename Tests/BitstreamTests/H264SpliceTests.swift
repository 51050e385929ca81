import Bitstream
import TestSupport
import Testing

/// Data that need much emulation prevention, behind headers that end otherwise than before.
@Suite struct H264SpliceTests {
    private static func sets() -> H264ParameterSets {
        var (sps, pps) = (H264SPS(), H264PPS())
        (sps.log2MaxFrameNum, sps.orderType) = (16, 2)
        var sets = H264ParameterSets()
        sets.add(sps)
        for id in [0, 1, 20] {
            pps.id = id
            sets.add(pps)
        }
        return sets
    }

    /// slice_qp_delta of −63 ends with ones and one of 32 with zeros, both in 13 bits; other ids shift the data.
    @Test(arguments: [0, 1, 20]) func zerosBehindAnotherHeader(id: Int) throws {
        let sets = Self.sets()
        for seed in 0..<400 {
            var random = SplitMix(state: UInt64(seed))
            let data =
                (0..<random.below(60)).map { _ in UInt8([0, 0, 0, 0, 1, 2, 3, 4, 255][random.below(9)]) } + [0x80]
            // A byte and 9 bits, frame_num of 16 bits and slice_qp_delta: 46 bits, and 2 of data.
            let rbsp: [UInt8] = [1, 0b1000_1000, 0b1111_1111, 0b1111_1111, 0b1000_0001, 0b1111_1100] + data
            var slice = try H264Slice(EmulationPrevention.added(to: rbsp)[...], sets)
            #expect(slice.headerLength == 46 && slice.header.qpDelta == -63 && slice.header.frameNum == 65_535)
            slice.header.qpDelta = 32
            slice.header.frameNum = 0
            slice.header.ppsID = id
            let written = try slice.nal(sets)
            #expect(written == EmulationPrevention.added(to: EmulationPrevention.removed(from: written[...])))
            var back = try H264Slice(written[...], sets)
            #expect(back.header == slice.header)
            (back.header.qpDelta, back.header.frameNum, back.header.ppsID) = (-63, 65_535, 0)
            #expect(try EmulationPrevention.removed(from: back.nal(sets)[...]) == rbsp)
            // From a header that ends with zeros to one of another length.
            for other in [0, 1, 20] {
                var moved = try H264Slice(written[...], sets)
                moved.header.ppsID = other
                moved = try H264Slice(moved.nal(sets)[...], sets)
                (moved.header.qpDelta, moved.header.frameNum, moved.header.ppsID) = (-63, 65_535, 0)
                #expect(try EmulationPrevention.removed(from: moved.nal(sets)[...]) == rbsp)
            }
        }
    }
}
