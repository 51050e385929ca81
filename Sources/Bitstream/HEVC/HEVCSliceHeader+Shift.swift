extension HEVCSliceHeader {
    /// Moves the slice's picture to another picture order count. When all pictures of a coded video sequence move alike,
    /// they refer to each other as before: reference sets are differences.
    ///
    /// So a CRA picture becomes an IDR picture, whose count is 0: its unit type changes, its RASL pictures are left out, and
    /// what follows up to the next IRAP picture moves by its count.
    /// - Parameter order: added to slice_pic_order_cnt_lsb, modulo MaxPicOrderCntLsb; IDR pictures have none.
    /// - Throws: when a long-term reference is named by its count in the SPS, which cannot move.
    package mutating func shift(order: Int, _ sps: HEVCSPS) throws(BitstreamError) {
        guard !unit.type.isIDR else { return }
        orderLSB = (orderLSB &+ order) & (sps.maxOrderLSB - 1)
        guard var pictures = longTerm?.pictures else { return }
        for index in pictures.indices {
            guard pictures[index].spsIndex == nil else {
                throw BitstreamError(.unsupported("a moved long-term reference"), element: "lt_idx_sps", bit: 0)
            }
            pictures[index].orderLSB = (pictures[index].orderLSB &+ order) & (sps.maxOrderLSB - 1)
        }
        longTerm?.pictures = pictures
    }
}
