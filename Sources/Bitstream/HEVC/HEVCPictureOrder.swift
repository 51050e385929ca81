/// Computes picture order counts: the order of output (ITU-T H.265, 8.3.1).
package struct HEVCPictureOrder: Hashable, Sendable {
    /// The picture order count of prevTid0Pic.
    private var previous = 0
    /// Whether the next picture begins a sequence: the first, and one behind an end of sequence.
    private var isAtStart = true

    package init() {}

    /// Takes the first slice of the next picture in decoding order.
    /// - Parameter endsSequence: whether an end of sequence follows in the picture's access unit.
    package mutating func next(_ header: HEVCSliceHeader, _ sps: HEVCSPS, endsSequence: Bool = false) -> Int {
        let type = header.unit.type
        let size = sps.maxOrderLSB
        var msb = 0
        // IRAP pictures with NoRaslOutputFlag have no high bits.
        if !(type.isIDR || type.isBLA || type.isIRAP && isAtStart) {
            let low = previous & (size - 1)
            msb = previous - low
            if header.orderLSB < low, low - header.orderLSB >= size / 2 { msb += size }
            if header.orderLSB > low, header.orderLSB - low > size / 2 { msb -= size }
        }
        let count = msb + header.orderLSB
        let isLeading = type.isRASL || type.isRADL
        if header.unit.temporalID == 0, !isLeading, !type.isSubLayerNonReference { previous = count }
        isAtStart = endsSequence
        return count
    }
}
