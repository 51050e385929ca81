/// The two bytes that a NAL unit of HEVC begins with (ITU-T H.265, 7.3.1.2).
package struct HEVCUnitHeader: Hashable, Sendable {
    package var type = HEVCUnitType.trailN
    /// nuh_layer_id, 0 … 62: above 0 in MV-HEVC and SHVC.
    package var layer = 0
    /// nuh_temporal_id_plus1 less 1, 0 … 6.
    package var temporalID = 0

    package init(type: HEVCUnitType, layer: Int = 0, temporalID: Int = 0) {
        self.type = type
        self.layer = layer
        self.temporalID = temporalID
    }

    /// - Throws: for fewer than two bytes, forbidden_zero_bit or nuh_temporal_id_plus1 of 0.
    package init(of nal: ArraySlice<UInt8>) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: Array(nal.prefix(2)))
        self.init(type: .trailN)
        try code(&coder)
    }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.fixed(1, 0, "forbidden_zero_bit")
        var kind = type.rawValue
        try coder.u(6, &kind, "nal_unit_type")
        type = HEVCUnitType(rawValue: kind)
        try coder.u(6, &layer, "nuh_layer_id", in: 0...62)
        try coder.u(3, &temporalID, plus: -1, "nuh_temporal_id_plus1", in: 1...7)
    }
}
