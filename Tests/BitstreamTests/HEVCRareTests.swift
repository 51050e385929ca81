import Bitstream
import Foundation
import TestSupport
import Testing

/// Syntax that no encoder here writes: we write it, and libavcodec reads the same elements as we.
@Suite struct HEVCRareTests {
    @Test(arguments: HEVCRareCase.all) func libavcodecReadsWhatWeWrite(rare: HEVCRareCase) async throws {
        let stream = try await HEVCSample.named("no wavefronts").stream()
        let units = AnnexB.units(of: stream[...])
        var old = HEVCParameterSets()
        for nal in units { try old.add(nal) }
        let written: [ArraySlice<UInt8>] = [
            try rare.vps.nal()[...], try rare.sps.nal()[...], try rare.pps.nal()[...],
        ]
        var new = HEVCParameterSets()
        for nal in written { try new.add(nal) }
        #expect(new.vps[5] == rare.vps && new.pps[33] == rare.pps)
        // Sets by prediction have their pictures only once they are read.
        #expect(new.sps[6]?.referenceSets.count == rare.sps.referenceSets.count)
        let data = try #require(try units.last { try HEVCUnitHeader(of: $0).type.isSlice })
        var slice = try HEVCSlice(data, old)
        slice.header = rare.header
        let nal = try slice.nal(new)[...]
        let header = try HEVCSlice(nal, new).header
        #expect(header.weights == rare.header.weights && header.entryPoints == rare.header.entryPoints)
        #expect(header.longTerm == rare.header.longTerm && header.listEntries0 == rare.header.listEntries0)
        let folder = try TemporaryFolder()
        let path = folder.path("a.h265")
        // The beginning of a stream that can be played, and behind it what cannot.
        let all = units.prefix(8) + [[70, 1, 0x50]] + written + [nal]
        try Data(AnnexB.stream(of: all)).write(to: URL(fileURLWithPath: path))
        let theirs = try await TraceHeaders.units(of: path).suffix(4).map(HEVCTraceTests.merged)
        let ours = [
            try HEVCVPS.trace(written[0]), try HEVCSPS.trace(written[1]), try HEVCPPS.trace(written[2]),
            try HEVCSlice.trace(nal, new),
        ].map(HEVCTraceTests.merged)
        for (mine, their) in zip(ours, theirs) where mine != their {
            Issue.record("\(String(describing: zip(mine, their).first { $0 != $1 })), \(mine.count), \(their.count)")
        }
        #expect(theirs.count == 4)
    }
}
