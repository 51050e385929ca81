/// The byte that a NAL unit of H.264 begins with (ITU-T H.264, 7.3.1).
struct H264UnitHeader: Hashable, Sendable {
    /// nal_ref_idc, 0 … 3.
    var referenceIDC = 0
    var type: H264UnitType

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.fixed(1, 0, "forbidden_zero_bit")
        try coder.u(2, &referenceIDC, "nal_ref_idc")
        var kind = type.rawValue
        try coder.u(5, &kind, "nal_unit_type")
        type = H264UnitType(rawValue: kind)
    }
}
