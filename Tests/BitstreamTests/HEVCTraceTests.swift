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
        let path = folder.path("a.h265")
        let stream = try await sample.stream()
        try Data(stream).write(to: URL(fileURLWithPath: path))
        let theirs = try await TraceHeaders.units(of: path).filter { unit in
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
    private static func merged(_ elements: [SyntaxElement]) -> [SyntaxElement] {
        let names: Set<String> = [
            "general_constraints", "general_intra_constraint_flag", "general_one_picture_only_constraint_flag",
            "general_lower_bit_rate_constraint_flag", "general_inbld_flag",
        ]
        var merged: [SyntaxElement] = []
        for element in elements {
            let isBit =
                names.contains(element.name) || element.name.hasPrefix("general_max_")
                || element.name.hasPrefix("general_reserved")
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
