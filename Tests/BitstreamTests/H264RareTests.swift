import Bitstream
import Foundation
import TestSupport
import Testing

/// Syntax that no encoder here writes: we write it, and libavcodec reads the same elements as we.
@Suite struct H264RareTests {
    @Test(arguments: H264RareCase.all) func libavcodecReadsWhatWeWrite(rare: H264RareCase) async throws {
        let stream = try await H264Sample.named("CAVLC").stream()
        let units = AnnexB.units(of: stream[...])
        var old = H264ParameterSets()
        for nal in units { try old.add(nal) }
        var new = H264ParameterSets()
        new.add(rare.sps)
        new.add(rare.pps)
        let data = try #require(units.last { H264UnitType(of: $0) == .slice })
        var slice = try H264Slice(data, old)
        slice.header = rare.header
        let written: [ArraySlice<UInt8>] = [
            try rare.sps.nal()[...], try rare.pps.nal(chromaFormat: rare.sps.chromaFormat)[...],
            try slice.nal(new)[...],
        ]
        #expect(try H264SPS(written[0]) == rare.sps)
        #expect(try H264PPS(written[1]) { _ in rare.sps.chromaFormat } == rare.pps)
        let header = try H264Slice(written[2], new).header
        // What is not coded has the value that is inferred.
        #expect(header.marking == rare.header.marking && header.weights == rare.header.weights)
        #expect(header.modifications0 == rare.header.modifications0 && header.ppsID == rare.header.ppsID)
        let folder = try TemporaryFolder()
        let path = folder.path("a.h264")
        // The beginning of a stream that can be played, and behind it what cannot.
        try Data(AnnexB.stream(of: units.prefix(8) + [[9, 0xF0]] + written)).write(to: URL(fileURLWithPath: path))
        let theirs = try await TraceHeaders.units(of: path).suffix(3)
        let ours = [
            try H264SPS.trace(written[0]), try H264PPS.trace(written[1]) { _ in rare.sps.chromaFormat },
            try H264Slice.trace(written[2], new),
        ]
        for (mine, their) in zip(ours, theirs) where mine != their {
            Issue.record("\(String(describing: zip(mine, their).first { $0 != $1 })), \(mine.count), \(their.count)")
        }
        #expect(theirs.count == 3)
    }
}
