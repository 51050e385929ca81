/// The long-term reference pictures of a picture (ITU-T H.265, 7.3.6.1).
package struct HEVCLongTermReferences: Hashable, Sendable {
    package struct Picture: Hashable, Sendable {
        /// lt_idx_sps: of those in the SPS; nil where the slice itself says which picture it is.
        package var spsIndex: Int?
        /// poc_lsb_lt; 0 with ``spsIndex``.
        package var orderLSB = 0
        /// used_by_curr_pic_lt_flag; false with ``spsIndex``, where the SPS says it.
        package var isUsed = false
        /// delta_poc_msb_cycle_lt; nil without delta_poc_msb_present_flag.
        package var msbCycle: Int?

        package init(spsIndex: Int? = nil, orderLSB: Int = 0, isUsed: Bool = false, msbCycle: Int? = nil) {
            self.spsIndex = spsIndex
            self.orderLSB = orderLSB
            self.isUsed = isUsed
            self.msbCycle = msbCycle
        }
    }

    /// The long-term references; those with ``Picture/spsIndex`` come first.
    package var pictures: [Picture] = []

    package init() {}

    mutating func code(_ coder: inout SyntaxCoder, _ sps: HEVCSPS) throws(BitstreamError) {
        let known = sps.longTerm?.count ?? 0
        var fromSPS = pictures.prefix { $0.spsIndex != nil }.count
        var others = pictures.count - fromSPS
        if known > 0 { try coder.ue(&fromSPS, "num_long_term_sps", in: 0...known) }
        try coder.ue(&others, "num_long_term_pics", in: 0...(32 - min(fromSPS, 32)))
        // Ceil(Log2(num_long_term_ref_pics_sps)) bits (7.4.7.1).
        let indexBits = known > 1 ? Int.bitWidth - (known - 1).leadingZeroBitCount : 0
        let first = Picture()
        var index = 0
        let listed = fromSPS
        try coder.list(&pictures, count: fromSPS + others, of: first, "lt_idx_sps") {
            coder,
            picture throws(BitstreamError) in
            if index < listed {
                var place = picture.spsIndex ?? 0
                if indexBits > 0 { try coder.u(indexBits, &place, "lt_idx_sps", in: 0...(known - 1)) }
                picture.spsIndex = place
            } else {
                guard picture.spsIndex == nil else { throw coder.error(.outOfRange(index), "lt_idx_sps") }
                try coder.u(sps.log2MaxOrderLSB, &picture.orderLSB, "poc_lsb_lt")
                try coder.flag(&picture.isUsed, "used_by_curr_pic_lt_flag")
            }
            index += 1
            try coder.presence(of: &picture.msbCycle, "delta_poc_msb_present_flag", else: 0)
            guard var cycle = picture.msbCycle else { return }
            try coder.ue(&cycle, "delta_poc_msb_cycle_lt", in: 0...0xFFFF_FFFE)
            picture.msbCycle = cycle
        }
    }

    /// How many the current picture may refer to.
    func usedCount(_ sps: HEVCSPS) -> Int {
        pictures.count { picture in
            guard let index = picture.spsIndex else { return picture.isUsed }
            return sps.longTerm.map { $0.indices.contains(index) && $0[index].isUsed } ?? false
        }
    }
}
