import Bitstream
import Foundation
import TestSupport
import Testing

/// Every syntax element of every parameter set and slice header, with its place, name, length and value, is what
/// libavcodec's reader says.
@Suite struct H264TraceTests {
    @Test(arguments: H264Sample.all)
    func everyElementIsWhatLibavcodecReads(sample: H264Sample) async throws {
        let folder = try TemporaryFolder()
        let units = AnnexB.units(of: try await sample.stream()[...])
        let theirs = try await TraceHeaders.units(of: sample.file(in: folder)).filter {
            [1, 5, 7, 8].contains($0.first { $0.name == "nal_unit_type" }?.value)
        }
        let ours = try Self.traces(of: units)
        #expect(ours.count == theirs.count && ours.count > 2)
        for (mine, their) in zip(ours, theirs) where mine != Self.header(their) {
            let place = zip(mine, their).first { $0 != $1 }
            Issue.record("\(String(describing: place)), \(mine.count) elements, theirs \(Self.header(their).count)")
            break
        }
    }

    private static func traces(of units: [ArraySlice<UInt8>]) throws -> [[SyntaxElement]] {
        var sets = H264ParameterSets()
        var traces: [[SyntaxElement]] = []
        for nal in units {
            try sets.add(nal)
            switch H264UnitType(of: nal) {
            case .sps: traces.append(try H264SPS.trace(nal))
            case .pps: traces.append(try H264PPS.trace(nal) { sets.sps[$0]?.chromaFormat })
            case .slice, .idrSlice: traces.append(try H264Slice.trace(nal, sets))
            default: break
            }
        }
        return traces
    }

    /// Their reader counts the alignment before the data of CABAC among the header.
    private static func header(_ elements: [SyntaxElement]) -> [SyntaxElement] {
        elements.filter { $0.name != "cabac_alignment_one_bit" }
    }
}
