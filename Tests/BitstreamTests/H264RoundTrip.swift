import Bitstream
import TestSupport
import Testing

/// Reads a NAL unit of H.264 in every way there is, and holds what is written against what was read.
struct H264RoundTrip {
    private let good: H264ParameterSets
    /// What mutated parameter sets have made of the good ones.
    private var sets: H264ParameterSets
    private var reader: H264AccessUnitReader
    private var order = H264PictureOrder()

    init(_ units: [ArraySlice<UInt8>]) throws {
        var sets = H264ParameterSets()
        for nal in units { try sets.add(nal) }
        good = sets
        self.sets = sets
        reader = H264AccessUnitReader(sets: sets)
    }

    /// Whether the unit could be read. - Throws: when something could be read and not be written.
    mutating func holds(_ nal: ArraySlice<UInt8>, _ random: inout SplitMix) throws -> Bool {
        if random.below(50) == 0 { sets = good }
        if random.below(200) == 0 { reader = H264AccessUnitReader(sets: good) }
        _ = try? reader.add(nal)
        switch H264UnitType(of: nal) {
        case .sps: return try sps(nal)
        case .pps: return try pps(nal)
        case .sei: return try sei(nal)
        case .slice, .idrSlice: return try slice(nal)
        default:
            // Refused, whatever it is.
            #expect(throws: BitstreamError.self) { try H264Slice(nal, sets) }
            return false
        }
    }

    private mutating func sps(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let sps = try H264SPS.roundTrip(nal) else { return false }
        sets.add(sps)
        _ = (sps.size, sps.frameBuffering, sps.reorderFrames)
        return true
    }

    private mutating func pps(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let pps = try? H264PPS(nal, chromaFormat: { sets.sps[$0]?.chromaFormat }) else { return false }
        let written = try pps.nal(chromaFormat: sets.sps[pps.spsID]?.chromaFormat ?? 1)
        #expect(written == Canonical.nal(nal))
        sets.add(pps)
        return true
    }

    private func sei(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let unit = try? SEIUnit(nal, headerLength: 1) else { return false }
        #expect(unit.nal() == Canonical.nal(nal))
        for message in unit.messages {
            _ = message.kind
            if let point = try? RecoveryPoint(h264: message.payload) {
                #expect(try RecoveryPoint(h264: point.h264Message().payload) == point)
            }
            if let period = try? H264BufferingPeriod(message.payload, sets) {
                #expect(try H264BufferingPeriod(period.message(sets).payload, sets) == period)
            }
            for sps in sets.sps.values {
                let context = H264PictureTiming.Context(sps)
                guard let timing = try? H264PictureTiming(message.payload, context), !context.isEmpty else { continue }
                #expect(try timing.message(context).map { try H264PictureTiming($0.payload, context) } == timing)
            }
        }
        return true
    }

    private mutating func slice(_ nal: ArraySlice<UInt8>) throws -> Bool {
        guard let slice = try? H264Slice(nal, sets) else { return false }
        let written = try slice.nal(sets)
        #expect(Canonical.rbsp(written[...]) == Canonical.aligned(nal, slice))
        #expect(try H264Slice(written[...], sets).header == slice.header)
        // To another id of another length, and back.
        var (pps, sps) = try sets.active(pps: slice.header.ppsID)
        pps.id = (pps.id + 77) % 256
        var other = sets
        other.add(pps)
        var moved = slice
        moved.header.ppsID = pps.id
        var back = try H264Slice(moved.nal(other)[...], other)
        #expect(back.header == moved.header)
        back.header.ppsID = slice.header.ppsID
        #expect(Canonical.rbsp(try back.nal(sets)[...]) == Canonical.aligned(nal, slice))
        _ = order.next(slice.header, sps)
        sps.maxReferenceFrames = 2
        if var entry = try? H264IDREntry(entry: slice.header, sps: sps, id: 1) {
            _ = try? entry.rewritten(slice.header)
            try? entry.begin(slice.header, isDropped: false)
            _ = try? entry.rewritten(slice.header)
        }
        return true
    }
}
