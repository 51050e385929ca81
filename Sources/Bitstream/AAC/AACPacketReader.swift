/// Reads the windows of a packet of AAC LC: raw_data_block() of ISO/IEC 14496-3, 4.4.2. An element's spectrum has to be
/// passed over to find the element behind it.
package struct AACPacketReader {
    /// The most bytes of a packet: 6144 bits for each of five channels (4.5.3.1), the channel of low frequencies, and
    /// filling.
    private static let mostBytes = 8192

    var reader: BitReader
    let bands: AACBands

    private init(_ bytes: [UInt8], _ bands: AACBands) { (reader, self.bands) = (BitReader(bytes), bands) }

    /// The windows of all channels of `packet`, in the order of its elements.
    /// - Throws: ``BitstreamError`` when the packet ends early, does not begin with the elements of `configuration`, or is
    ///   none of AAC LC.
    package static func windows(
        of packet: UnsafeRawBufferPointer,
        _ configuration: AACChannelConfiguration,
        _ bands: AACBands
    ) throws(BitstreamError) -> [AACWindow] {
        var reader = AACPacketReader(Array(packet.prefix(mostBytes)), bands)
        return try reader.windows(configuration)
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
            let isLast = index == configuration.elements.count - 1
            windows += try element == .pair ? pair(isLast: isLast) : [single(isLast: isLast)]
        }
        return windows
    }

    // MARK: Elements

    /// The id_syn_ele of the next element that holds sound; data and filling before it are passed over.
    private mutating func nextElement() throws(BitstreamError) -> Int {
        while true {
            let element = try bits(3, "id_syn_ele")
            switch element {
            case 4: try passData()
            case 6:
                var count = try bits(4, "count")
                if count == 15 { count += try bits(8, "esc_count") - 1 }
                try pass(over: 8 * count)
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

    private mutating func single(isLast: Bool) throws(BitstreamError) -> AACWindow {
        try pass(over: 8)
        let info = try channelInfo()
        if !isLast { try passChannel(info) }
        return info.window
    }

    private mutating func pair(isLast: Bool) throws(BitstreamError) -> [AACWindow] {
        guard try bits(1, "common_window") == 1 else {
            try pass(over: 8)
            let first = try channelInfo()
            try passChannel(first)
            return [first.window, try single(isLast: isLast)]
        }
        let info = try channelInfo()
        if !isLast {
            if try bits(2, "ms_mask_present") == 1 { try pass(over: info.groups.count * info.bandCount) }
            for _ in 0..<2 {
                try pass(over: 8)
                try passChannel(info)
            }
        }
        return [info.window, info.window]
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
