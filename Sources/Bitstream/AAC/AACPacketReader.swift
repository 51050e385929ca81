/// Reads a packet of AAC LC: raw_data_block() of ISO/IEC 14496-3, 4.4.2. An element's spectrum has to be passed over to
/// find the element behind it.
package struct AACPacketReader {
    /// The most bytes of a packet: 6144 bits for each of five channels (4.5.3.1), the channel of low frequencies, and
    /// filling.
    private static let mostBytes = 8192

    var reader: BitReader
    let bands: AACBands
    /// Whether all is read and judged, the loudness of each channel too. Else reading ends with the last window, and
    /// spectra are only passed over.
    let isWhole: Bool

    private init(_ bytes: [UInt8], _ bands: AACBands, isWhole: Bool) {
        (reader, self.bands, self.isWhole) = (BitReader(bytes), bands, isWhole)
    }

    /// The windows of all channels of `packet`, in the order of its elements.
    /// - Throws: ``BitstreamError`` when the packet ends early, does not begin with the elements of `configuration`, or is
    ///   none of AAC LC.
    package static func windows(
        of packet: UnsafeRawBufferPointer,
        _ configuration: AACChannelConfiguration,
        _ bands: AACBands
    ) throws(BitstreamError) -> [AACWindow] {
        var reader = AACPacketReader(Array(packet.prefix(mostBytes)), bands, isWhole: false)
        return try reader.windows(configuration)
    }

    /// Reads all of `packet`, to find whether it is damaged. Wrong bits in a Huffman code move what follows, so that the end
    /// of the packet is seldom where its elements end; a wrong scale factor makes it louder than any sound. What is left is
    /// a packet of other sound, which no reader can tell from a right one.
    /// - Throws: ``BitstreamError`` when the packet does not begin with the elements of `configuration`, is none of AAC LC,
    ///   holds a value that the standard does not allow, or does not end where its elements do; when it is louder than
    ///   ``AACLoudness/isPossible(_:isShort:)`` allows; and for spectral band replication.
    package static func check(
        _ packet: UnsafeRawBufferPointer,
        _ configuration: AACChannelConfiguration,
        _ bands: AACBands
    ) throws(BitstreamError) {
        guard packet.count <= mostBytes else {
            throw BitstreamError(.outOfRange(packet.count), element: "raw_data_block", bit: 0)
        }
        var reader = AACPacketReader(Array(packet), bands, isWhole: true)
        _ = try reader.windows(configuration)
        try reader.passEnd()
    }

    private mutating func windows(_ configuration: AACChannelConfiguration) throws(BitstreamError) -> [AACWindow] {
        var windows: [AACWindow] = []
        for (index, (element, tag)) in zip(configuration.elements, configuration.tags).enumerated() {
            let found = try nextElement()
            guard found == element.rawValue else {
                throw BitstreamError(.outOfRange(found), element: "id_syn_ele", bit: reader.position)
            }
            let own = try bits(4, "element_instance_tag")
            guard own == tag else {
                throw BitstreamError(.outOfRange(own), element: "element_instance_tag", bit: reader.position)
            }
            let isRead = isWhole || index < configuration.elements.count - 1
            windows += try element == .pair ? pair(isRead: isRead) : [single(isRead: isRead)]
        }
        return windows
    }

    // MARK: Elements

    /// The id_syn_ele of the next element that holds sound, or of the end; data and filling before it are passed over.
    private mutating func nextElement() throws(BitstreamError) -> Int {
        while true {
            let element = try bits(3, "id_syn_ele")
            switch element {
            case 4: try passData()
            case 6: try passFilling()
            default: return element
            }
        }
    }

    /// data_stream_element().
    private mutating func passData() throws(BitstreamError) {
        _ = try bits(4, "element_instance_tag")
        let isAligned = try bits(1, "data_byte_align_flag") == 1
        var count = try bits(8, "count")
        if count == 255 { count += try bits(8, "esc_count") }
        if isAligned { try pass(over: -reader.position & 7) }
        try pass(over: 8 * count)
    }

    /// fill_element(). The extensions 13 and 14 are spectral band replication (4.4.2.7, table 4.57).
    private mutating func passFilling() throws(BitstreamError) {
        var count = try bits(4, "count")
        if count == 15 { count += try bits(8, "esc_count") - 1 }
        guard count == 0 || !(13...14 ~= reader.peek(4)) else { throw unsupported("spectral band replication") }
        try pass(over: 8 * count)
    }

    /// The end, behind which a packet may be filled with zeros.
    private mutating func passEnd() throws(BitstreamError) {
        let element = try nextElement()
        guard element == 7 else {
            throw BitstreamError(.outOfRange(element), element: "id_syn_ele", bit: reader.position)
        }
        guard reader.skip(-reader.position & 7), reader.lastSetBit == nil else {
            throw BitstreamError(.badEnd, element: "raw_data_block", bit: reader.position)
        }
    }

    private mutating func single(isRead: Bool) throws(BitstreamError) -> AACWindow {
        let gain = try bits(8, "global_gain")
        let info = try channelInfo()
        if isRead { try passChannel(info, gain: gain) }
        return info.window
    }

    private mutating func pair(isRead: Bool) throws(BitstreamError) -> [AACWindow] {
        guard try bits(1, "common_window") == 1 else {
            let gain = try bits(8, "global_gain")
            let first = try channelInfo()
            try passChannel(first, gain: gain)
            return [first.window, try single(isRead: isRead)]
        }
        let info = try channelInfo()
        if isRead {
            try passJointStereo(info)
            let left = try passChannel(info, gain: bits(8, "global_gain"))
            try passChannel(info, gain: bits(8, "global_gain"), left: left)
        }
        return [info.window, info.window]
    }

    /// ms_mask_present, of which 3 is reserved, and ms_used.
    private mutating func passJointStereo(_ info: ChannelInfo) throws(BitstreamError) {
        let mask = try bits(2, "ms_mask_present")
        guard mask < 3 else {
            throw BitstreamError(.outOfRange(mask), element: "ms_mask_present", bit: reader.position)
        }
        if mask == 1 { try pass(over: info.groups.count * info.bandCount) }
    }

    // MARK: Bits

    mutating func bits(_ count: Int, _ element: String) throws(BitstreamError) -> Int {
        guard let value = reader.bits(count) else {
            throw BitstreamError(.truncated, element: element, bit: reader.position)
        }
        return value
    }

    mutating func pass(over count: Int) throws(BitstreamError) {
        guard reader.skip(count) else {
            throw BitstreamError(.truncated, element: "raw_data_block", bit: reader.position)
        }
    }

    @inline(__always)
    mutating func codeword(_ code: AACCodebook, _ element: String) throws(BitstreamError) -> Int {
        guard let found = code.codeword(in: reader.peek(AACCodebook.longest)), reader.skip(found.length) else {
            throw BitstreamError(.truncated, element: element, bit: reader.position)
        }
        return found.position
    }

    func unsupported(_ what: String) -> BitstreamError {
        BitstreamError(.unsupported(what), element: "raw_data_block", bit: reader.position)
    }
}
