import Bitstream
import TestSupport
import Testing

/// Reads a NAL unit of HEVC in every way there is, and holds what is written against what was read.
struct HEVCRoundTrip {
    private let good: HEVCParameterSets
    /// What mutated parameter sets have made of the good ones.
    private var sets: HEVCParameterSets
    private var reader: HEVCAccessUnitReader
    private var order = HEVCPictureOrder()

    init(_ units: [ArraySlice<UInt8>]) throws {
        var sets = HEVCParameterSets()
        for nal in units { try sets.add(nal) }
        good = sets
        self.sets = sets
        reader = HEVCAccessUnitReader(sets: sets)
    }

    /// Whether the unit could be read. - Throws: when something could be read and not be written.
    mutating func holds(_ nal: ArraySlice<UInt8>, _ random: inout SplitMix) throws -> Bool {
        if random.below(50) == 0 { sets = good }
        if random.below(200) == 0 { reader = HEVCAccessUnitReader(sets: good) }
        _ = try? reader.add(nal)
        guard let header = try? HEVCUnitHeader(of: nal) else { return false }
        switch header.type {
        case .vps: return try HEVCVPS.roundTrip(nal) != nil
        case .sps:
            guard let sps = try HEVCSPS.roundTrip(nal) else { return false }
            sets.add(sps)
            _ = (sps.size, sps.treeBlocks)
            return true
        case .pps:
            guard let pps = try HEVCPPS.roundTrip(nal) else { return false }
            sets.add(pps)
            return true
        case .prefixSEI, .suffixSEI: return try sei(nal)
        default: return try slice(nal)
        }
    }

    private func sei(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let unit = try? SEIUnit(nal, headerLength: 2) else { return false }
        #expect(unit.nal() == Canonical.nal(nal))
        for message in unit.messages {
            if let point = try? RecoveryPoint(hevc: message.payload) {
                #expect(try RecoveryPoint(hevc: point.hevcMessage().payload) == point)
            }
            for sps in sets.sps.values {
                let context = HEVCPictureTiming.Context(sps)
                guard let timing = try? HEVCPictureTiming(message.payload, context), !context.isEmpty else { continue }
                #expect(try timing.message(context).map { try HEVCPictureTiming($0.payload, context) } == timing)
            }
        }
        return true
    }

    private mutating func slice(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let slice = try? HEVCSlice(nal, sets) else { return false }
        let written = try slice.nal(sets)
        #expect(Canonical.rbsp(written[...]) == Canonical.rbsp(nal))
        #expect(try HEVCSlice(written[...], sets).header == slice.header)
        var (pps, sps) = try sets.active(pps: slice.header.ppsID)
        pps.id = (pps.id + 21) % 64
        var other = sets
        other.add(pps)
        var moved = slice
        moved.header.ppsID = pps.id
        var back = try HEVCSlice(moved.nal(other)[...], other)
        #expect(back.header == moved.header)
        back.header.ppsID = slice.header.ppsID
        #expect(Canonical.rbsp(try back.nal(sets)[...]) == Canonical.rbsp(nal))
        _ = order.next(slice.header, sps)
        sps.removeHRD()
        return true
    }
}
