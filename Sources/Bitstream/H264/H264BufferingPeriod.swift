/// buffering_period: the state of the coded picture buffer where decoding may begin (ITU-T H.264, D.1.2).
package struct H264BufferingPeriod: Hashable, Sendable {
    /// The initial delays of one schedule of an HRD, in units of 1 ÷ 90,000 s.
    package struct Delay: Hashable, Sendable {
        package var removal = 0
        package var offset = 0

        package init(removal: Int = 0, offset: Int = 0) {
            self.removal = removal
            self.offset = offset
        }
    }

    /// seq_parameter_set_id.
    package var spsID = 0
    /// One for each schedule of the NAL HRD.
    package var nal: [Delay] = []
    /// One for each schedule of the VCL HRD.
    package var vcl: [Delay] = []

    package init() {}

    /// - Throws: when its SPS is missing, and when the payload is too short for the SPS's HRD.
    package init(_ payload: [UInt8], _ sets: H264ParameterSets) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: payload)
        try code(&coder, sets)
    }

    /// The message beside other parameter sets.
    /// - Throws: when its SPS is missing, or has other schedules.
    package func message(_ sets: H264ParameterSets) throws(BitstreamError) -> SEIMessage {
        var coder = SyntaxCoder.writing()
        var copy = self
        try copy.code(&coder, sets)
        return SEIMessage(type: 0, payload: coder.writtenPayload())
    }

    private mutating func code(_ coder: inout SyntaxCoder, _ sets: H264ParameterSets) throws(BitstreamError) {
        try coder.ue(&spsID, "seq_parameter_set_id", in: 0...31)
        guard let sps = sets.sps[spsID] else { throw coder.error(.missing(id: spsID), "seq_parameter_set_id") }
        try Self.code(&nal, sps.vui?.nalHRD, &coder)
        try Self.code(&vcl, sps.vui?.vclHRD, &coder)
    }

    private static func code(
        _ delays: inout [Delay],
        _ hrd: H264HRD?,
        _ coder: inout SyntaxCoder
    ) throws(BitstreamError) {
        guard let hrd else { return }
        let length = hrd.initialDelayLength
        try coder.list(&delays, count: hrd.schedules.count, of: Delay(), "initial_cpb_removal_delay") {
            coder,
            delay throws(BitstreamError) in
            try coder.u(length, &delay.removal, "initial_cpb_removal_delay")
            try coder.u(length, &delay.offset, "initial_cpb_removal_delay_offset")
        }
    }
}
