extension SyntaxCoder {
    /// The header of a parameter set of the base layer.
    mutating func unitHeader(_ type: HEVCUnitType, _ temporalID: inout Int) throws(BitstreamError) {
        var header = HEVCUnitHeader(type: type, temporalID: temporalID)
        try header.code(&self)
        guard header.type == type else { throw error(.outOfRange(header.type.rawValue), "nal_unit_type") }
        guard header.layer == 0 else { throw error(.unsupported("a layer above the base"), "nuh_layer_id") }
        temporalID = header.temporalID
    }
}
