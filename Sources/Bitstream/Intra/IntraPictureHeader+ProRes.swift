extension IntraPictureHeader {
    /// Reads the frame header of ProRes (SMPTE RDD 36, 5.1.1).
    /// ```
    /// frame size 4 | "icpf" | header size 2 | 0 | version 1 | creator 4 | width 2 | height 2
    /// | chroma_format 2 bits, 0 2, interlace_mode 2, 0 2 | … 4 | 0 4 bits, alpha_channel_type 4
    /// ```
    /// - Parameter frame: at least the first 26 bytes of a packet.
    /// - Throws: for bytes that are no frame.
    package init(proRes frame: ArraySlice<UInt8>) throws(BitstreamError) {
        var coder = SyntaxCoder(reading: Array(frame.prefix(26)))
        try coder.skip(bytes: 4, "frame_size")
        guard try coder.number(32, "frame_identifier") == 0x6963_7066 else {
            throw coder.error(.badEnd, "frame_identifier")
        }
        try coder.skip(bytes: 3, "frame_header_size")
        let version = try coder.number(8, "bitstream_version")
        try coder.skip(bytes: 4, "encoder_identifier")
        let (width, height) = (try coder.number(16, "horizontal_size"), try coder.number(16, "vertical_size"))
        let chroma = try coder.number(2, "chroma_format")
        _ = try coder.number(2, "reserved")
        let interlaced = try coder.number(2, "interlace_mode")
        try coder.skip(bytes: 4, "color_primaries")
        _ = try coder.number(6, "reserved")
        let alpha = try coder.number(4, "alpha_channel_type")
        guard width > 0, height > 0, chroma >= 2 else { throw coder.error(.outOfRange(chroma), "chroma_format") }
        self.init(
            width: width,
            height: height,
            chromaFormat: chroma,
            bits: 0,
            isInterlaced: interlaced != 0,
            hasAlpha: alpha != 0,
            traits: [version]
        )
    }
}

extension SyntaxCoder {
    /// Reads a number of `bits` bits.
    mutating func number(_ bits: Int, _ name: StaticString) throws(BitstreamError) -> Int {
        var value = 0
        try u(bits, &value, name)
        return value
    }

    /// Passes over whole bytes.
    mutating func skip(bytes: Int, _ name: StaticString) throws(BitstreamError) {
        for _ in 0..<bytes { _ = try number(8, name) }
    }
}
