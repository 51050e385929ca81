import Bitstream

/// What a mutated NAL unit becomes when it is read and written: the same bits, with emulation prevention where it must be
/// and nowhere else, and without zeros at the end.
enum Canonical {
    static func rbsp(_ nal: ArraySlice<UInt8>) -> [UInt8] {
        var rbsp = EmulationPrevention.removed(from: nal)
        while rbsp.last == 0 { rbsp.removeLast() }
        return rbsp
    }

    static func nal(_ nal: ArraySlice<UInt8>) -> [UInt8] { EmulationPrevention.added(to: rbsp(nal)) }

    /// A slice whose alignment before data of CABAC is right.
    static func aligned(_ nal: ArraySlice<UInt8>, _ slice: H264Slice) -> [UInt8] {
        var rbsp = EmulationPrevention.removed(from: nal)
        let length = slice.headerLength
        if slice.isCABAC, length & 7 != 0 { rbsp[length >> 3] |= 0xFF >> UInt8(length & 7) }
        while rbsp.last == 0 { rbsp.removeLast() }
        return rbsp
    }
}
