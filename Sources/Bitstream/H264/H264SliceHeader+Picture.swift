extension H264SliceHeader {
    /// Whether a slice belongs to another primary coded picture than the slice before it (ITU-T H.264, 7.4.1.2.4).
    func isOtherPicture(than last: H264SliceHeader) -> Bool {
        if frameNum != last.frameNum || ppsID != last.ppsID { return true }
        if isField != last.isField || isBottomField != last.isBottomField { return true }
        if isReference != last.isReference || isIDR != last.isIDR { return true }
        if isIDR, idrID != last.idrID { return true }
        // The elements that the order type does not use are 0 in both.
        return orderLSB != last.orderLSB || orderDeltaBottom != last.orderDeltaBottom
            || orderDelta0 != last.orderDelta0 || orderDelta1 != last.orderDelta1
    }
}
