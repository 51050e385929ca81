/// recovery_point: decoding that begins at this picture gives right pictures from a certain one on (ITU-T H.264, D.1.8;
/// H.265, D.2.8).
package struct RecoveryPoint: Hashable, Sendable {
    /// recovery_frame_cnt of H.264, in frames that count in frame_num; recovery_poc_cnt of HEVC, in picture order counts.
    /// 0: right from the picture itself on, in output order.
    package var count = 0
    /// exact_match_flag: the pictures are then those of a decode from the stream's start.
    package var isExact = false
    /// broken_link_flag: pictures before it in output order may be damaged.
    package var isBroken = false
    /// changing_slice_group_idc, 0 … 2; only in H.264.
    package var sliceGroupChange = 0

    package init() {}

    /// Reads the payload of an H.264 message.
    /// - Throws: when the payload is too short or holds values that the standard does not allow.
    package init(h264 payload: [UInt8]) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: payload)
        try codeH264(&coder)
    }

    /// Reads the payload of an HEVC message.
    /// - Throws: when the payload is too short or holds values that the standard does not allow.
    package init(hevc payload: [UInt8]) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: payload)
        try codeHEVC(&coder)
    }

    /// The recovery point as a message of H.264.
    /// - Throws: for values that the standard does not allow.
    package func h264Message() throws(BitstreamError) -> SEIMessage {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.codeH264(&coder)
        return SEIMessage(type: 6, payload: coder.writtenPayload())
    }

    /// The recovery point as a message of HEVC.
    /// - Throws: for values that the standard does not allow.
    package func hevcMessage() throws(BitstreamError) -> SEIMessage {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.codeHEVC(&coder)
        return SEIMessage(type: 6, payload: coder.writtenPayload())
    }

    private mutating func codeH264(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&count, "recovery_frame_cnt", in: 0...65_535)
        try coder.flag(&isExact, "exact_match_flag")
        try coder.flag(&isBroken, "broken_link_flag")
        try coder.u(2, &sliceGroupChange, "changing_slice_group_idc", in: 0...2)
    }

    private mutating func codeHEVC(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.se(&count, "recovery_poc_cnt", in: -32_768...32_767)
        try coder.flag(&isExact, "exact_match_flag")
        try coder.flag(&isBroken, "broken_link_flag")
    }
}
