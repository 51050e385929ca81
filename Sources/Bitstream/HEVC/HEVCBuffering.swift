/// How many pictures a decoder holds and reorders, of one temporal sub-layer (ITU-T H.265, 7.4.3.1 and 7.4.3.2.1).
package struct HEVCBuffering: Hashable, Sendable {
    /// max_dec_pic_buffering_minus1 + 1: pictures, the current one among them, 1 … 16.
    package var pictures = 1
    /// max_num_reorder_pics: less than ``pictures``.
    package var reordered = 0
    /// max_latency_increase_plus1; 0 without a limit.
    package var latencyIncreasePlus1 = 0

    package init(pictures: Int = 1, reordered: Int = 0, latencyIncreasePlus1: Int = 0) {
        self.pictures = pictures
        self.reordered = reordered
        self.latencyIncreasePlus1 = latencyIncreasePlus1
    }

    /// One for each sub-layer, or one for all.
    /// - Parameter isVPS: only the names differ.
    static func code(
        _ layers: inout [HEVCBuffering],
        subLayerCount: Int,
        _ coder: inout SyntaxCoder,
        isVPS: Bool
    ) throws(BitstreamError) {
        try coder.list(&layers, count: subLayerCount, of: HEVCBuffering(), "max_dec_pic_buffering_minus1") {
            coder,
            layer throws(BitstreamError) in
            try layer.code(&coder, isVPS)
        }
    }

    private mutating func code(_ coder: inout SyntaxCoder, _ isVPS: Bool) throws(BitstreamError) {
        let name: StaticString = isVPS ? "vps_max_dec_pic_buffering_minus1" : "sps_max_dec_pic_buffering_minus1"
        try coder.ue(&pictures, plus: 1, name, in: 0...15)
        let reorderName: StaticString = isVPS ? "vps_max_num_reorder_pics" : "sps_max_num_reorder_pics"
        try coder.ue(&reordered, reorderName, in: 0...(pictures - 1))
        let latency: StaticString = isVPS ? "vps_max_latency_increase_plus1" : "sps_max_latency_increase_plus1"
        try coder.ue(&latencyIncreasePlus1, latency, in: 0...0xFFFF_FFFE)
    }
}
