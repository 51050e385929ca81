extension IntraPictureHeader {
    /// Reads the header of a picture of DNxHD or DNxHR (SMPTE ST 2019-1, 4.2).
    ///
    /// | byte | |
    /// |---|---|
    /// | 0 … 4 | size of the header, 4 bytes, and its version: 1, 2 (4:4:4) or 3 (DNxHR) |
    /// | 5 | bit 1: the picture is a field |
    /// | 6 | bit 5: macroblocks of frames and fields are mixed |
    /// | 7 | bit 0: alpha |
    /// | 24 … 27 | rows and samples in a row, 2 bytes each |
    /// | 33 | 3 bits: 1 for 8 bits a sample, 2 for 10, 3 for 12 |
    /// | 40 … 43 | compression ID |
    /// | 44 | bit 6: 4:4:4, bits 0 … 2: adaptive colour transform |
    /// - Parameter picture: at least the first 45 bytes of a packet.
    /// - Throws: for bytes that are no such picture.
    package init(dnxhd picture: ArraySlice<UInt8>) throws(BitstreamError) {
        let bytes = Array(picture.prefix(45))
        guard bytes.count == 45 else { throw BitstreamError(.truncated, element: "header", bit: bytes.count * 8) }
        func number(_ place: Int, _ count: Int) -> Int { bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
        let (size, version) = (number(0, 4), number(4, 1))
        guard (1...3).contains(version), size == 0x280 || (version == 3 && (0x280...0x2170).contains(size)) else {
            throw BitstreamError(.outOfRange(version), element: "header_prefix", bit: 0)
        }
        let depth = number(33, 1) >> 5
        guard (1...3).contains(depth), number(26, 2) > 0, number(24, 2) > 0 else {
            throw BitstreamError(.outOfRange(depth), element: "sbd", bit: 33 * 8)
        }
        self.init(
            width: number(26, 2),
            height: number(24, 2),
            chromaFormat: number(44, 1) & 0x40 != 0 ? 3 : 2,
            bits: 6 + 2 * depth,
            isInterlaced: number(5, 1) & 2 != 0 || number(6, 1) & 0x20 != 0,
            hasAlpha: number(7, 1) & 1 != 0,
            traits: [version, number(40, 4), number(44, 1) & 7]
        )
    }
}
