/// The beginning of a packet of AAC: raw_data_block() up to the window of its first channels (ISO/IEC 14496-3, 4.4.2).
package struct AACPacketHead: Sendable, Hashable {
    /// The number of channels of the packet's first element of sound: 1 (single_channel_element) or 2
    /// (channel_pair_element).
    package var channels: Int
    /// element_instance_tag.
    package var tag: Int
    /// The window of all channels of the element; nil where two channels have windows of their own.
    package var window: AACWindow?

    /// Reads the head of `packet`. Elements of data and of filling before the first sound are passed over.
    /// - Throws: ``BitstreamError`` when the packet ends early or begins with another element.
    package init(_ packet: UnsafeRawBufferPointer) throws(BitstreamError) {
        try self.init(Array(packet.prefix(AACPacketHead.mostBytes)))
    }

    /// The most bytes of a packet that its head and the elements before it take up.
    private static let mostBytes = 1024

    init(_ bytes: [UInt8]) throws(BitstreamError) {
        var reader = BitReader(bytes)
        func bits(_ count: Int, _ element: String) throws(BitstreamError) -> Int {
            guard let value = reader.bits(count) else {
                throw BitstreamError(.truncated, element: element, bit: reader.position)
            }
            return value
        }
        func pass(over count: Int) throws(BitstreamError) {
            for _ in 0..<count { _ = try bits(8, "an element before the sound") }
        }
        while true {
            switch try bits(3, "id_syn_ele") {
            case 0:
                (channels, tag) = (1, try bits(4, "element_instance_tag"))
                _ = try bits(8, "global_gain")
            case 1:
                (channels, tag) = (2, try bits(4, "element_instance_tag"))
                guard try bits(1, "common_window") == 1 else {
                    window = nil
                    return
                }
            case 4:
                _ = try bits(4, "element_instance_tag")
                let isAligned = try bits(1, "data_byte_align_flag") == 1
                var count = try bits(8, "count")
                if count == 255 { count += try bits(8, "esc_count") }
                if isAligned { _ = try bits(-reader.position & 7, "byte_alignment") }
                try pass(over: count)
                continue
            case 6:
                var count = try bits(4, "count")
                if count == 15 { count += try bits(8, "esc_count") - 1 }
                try pass(over: count)
                continue
            case let other:
                throw BitstreamError(.outOfRange(other), element: "id_syn_ele", bit: reader.position)
            }
            guard try bits(1, "ics_reserved_bit") == 0,
                let sequence = AACWindow.Sequence(rawValue: try bits(2, "window_sequence")),
                let shape = AACWindow.Shape(rawValue: try bits(1, "window_shape"))
            else { throw BitstreamError(.outOfRange(1), element: "ics_reserved_bit", bit: reader.position) }
            window = AACWindow(sequence: sequence, shape: shape)
            return
        }
    }
}
