import Bitstream
import Foundation
import TestSupport
import Testing

/// Every syntax element of every parameter set and slice header, with its place, name, length and value, is what
/// libavcodec's reader says.
@Suite struct HEVCTraceTests {
    @Test(arguments: HEVCSample.all)
    func everyElementIsWhatLibavcodecReads(sample: HEVCSample) async throws {
        let folder = try TemporaryFolder()
        let stream = try await sample.stream()
        let theirs = try await TraceHeaders.units(of: sample.file(in: folder)).filter { unit in
            let type = unit.first { $0.name == "nal_unit_type" }.map { HEVCUnitType(rawValue: $0.value) }
            return type.map { $0.isSlice || [.vps, .sps, .pps].contains($0) } ?? false
        }
        let ours = try Self.traces(of: AnnexB.units(of: stream[...]))
        #expect(ours.count == theirs.count && ours.count > 3)
        for (mine, their) in zip(ours, theirs) where Self.merged(mine) != Self.merged(their) {
            let place = zip(Self.merged(mine), Self.merged(their)).first { $0 != $1 }
            Issue.record("\(String(describing: place)), \(mine.count) elements, theirs \(their.count)")
            break
        }
    }

    private static func traces(of units: [ArraySlice<UInt8>]) throws -> [[SyntaxElement]] {
        var sets = HEVCParameterSets()
        var traces: [[SyntaxElement]] = []
        for nal in units {
            try sets.add(nal)
            let type = try HEVCUnitHeader(of: nal).type
            switch type {
            case .vps: traces.append(try HEVCVPS.trace(nal))
            case .sps: traces.append(try HEVCSPS.trace(nal))
            case .pps: traces.append(try HEVCPPS.trace(nal))
            default: if type.isSlice { traces.append(try HEVCSlice.trace(nal, sets)) }
            }
        }
        return traces
    }

    /// The 44 bits of a profile whose names depend on the profile, as one element.
    static func merged(_ elements: [SyntaxElement]) -> [SyntaxElement] {
        let names: Set<Substring> = [
            "constraints", "intra_constraint_flag", "one_picture_only_constraint_flag",
            "lower_bit_rate_constraint_flag", "inbld_flag",
        ]
        var merged: [SyntaxElement] = []
        for element in elements {
            let prefix = ["general_", "sub_layer_"].first { element.name.hasPrefix($0) }
            let name = element.name.dropFirst(prefix?.count ?? 0)
            let isBit =
                prefix != nil && (names.contains(name) || name.hasPrefix("max_") || name.hasPrefix("reserved"))
            guard isBit else {
                merged.append(element)
                continue
            }
            if merged.last?.name != "bits" {
                merged.append(SyntaxElement(position: element.position, name: "bits", value: 0, length: 0))
            }
            merged[merged.count - 1].value = merged[merged.count - 1].value << element.length | element.value
            merged[merged.count - 1].length += element.length
        }
        return merged
    }
}
