extension H264SliceHeader {
    /// Moves the slice's picture to other numbers, where pictures before it were added or taken away. All pictures up to
    /// the next IDR picture must move alike. For order type 1 the counts follow from the frame numbers alone.
    /// - Parameters:
    ///   - frames: added to frame_num, modulo MaxFrameNum.
    ///   - order: added to pic_order_cnt_lsb, modulo MaxPicOrderCntLsb; for order type 0.
    package mutating func shift(frames: Int, order: Int, _ sps: H264SPS) {
        frameNum = (frameNum &+ frames) & (sps.maxFrameNum - 1)
        if sps.orderType == 0 { orderLSB = (orderLSB &+ order) & (sps.maxOrderLSB - 1) }
    }
}
