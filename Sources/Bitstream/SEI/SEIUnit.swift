/// A NAL unit of supplemental enhancement information: what stands before its messages, and they.
package struct SEIUnit: Hashable, Sendable {
    /// The NAL unit header: one byte in H.264, two in HEVC.
    package var header: [UInt8]
    package var messages: [SEIMessage]

    package init(header: [UInt8], messages: [SEIMessage]) {
        self.header = header
        self.messages = messages
    }

    /// - Parameters:
    ///   - nal: with emulation prevention.
    ///   - headerLength: bytes, 1 in H.264 and 2 in HEVC.
    /// - Throws: when a message runs past the end, and for wrong trailing bits.
    package init(_ nal: ArraySlice<UInt8>, headerLength: Int) throws(BitstreamError) {
        let rbsp = EmulationPrevention.removed(from: nal)
        guard rbsp.count > headerLength else {
            throw BitstreamError(.truncated, element: "sei_message", bit: rbsp.count * 8)
        }
        header = Array(rbsp[..<headerLength])
        messages = []
        // rbsp_trailing_bits(): messages are whole bytes.
        guard let stop = rbsp.lastIndex(where: { $0 != 0 }), rbsp[stop] == 0x80 else {
            throw BitstreamError(.badEnd, element: "rbsp_trailing_bits", bit: rbsp.count * 8 - 8)
        }
        var index = headerLength
        while index < stop {
            let type = try Self.number(rbsp[..<stop], &index, "last_payload_type_byte")
            let size = try Self.number(rbsp[..<stop], &index, "last_payload_size_byte")
            guard size <= stop - index else {
                throw BitstreamError(.outOfRange(size), element: "last_payload_size_byte", bit: index * 8 - 8)
            }
            messages.append(SEIMessage(type: type, payload: Array(rbsp[index..<index + size])))
            index += size
        }
        guard !messages.isEmpty else {
            throw BitstreamError(.truncated, element: "sei_message", bit: headerLength * 8)
        }
    }

    /// The NAL unit, with emulation prevention; nil without messages, as there must be one.
    package func nal() -> [UInt8]? {
        guard !messages.isEmpty else { return nil }
        var rbsp = header
        for message in messages {
            Self.append(message.type, to: &rbsp)
            Self.append(message.payload.count, to: &rbsp)
            rbsp += message.payload
        }
        rbsp.append(0x80)
        return EmulationPrevention.added(to: rbsp)
    }

    /// The NAL unit with the messages that are wanted; nil when none is left.
    package func nal(keeping isKept: (SEIMessage) -> Bool) -> [UInt8]? {
        SEIUnit(header: header, messages: messages.filter(isKept)).nal()
    }

    /// Bytes of 255 and a last one: their sum.
    private static func number(
        _ rbsp: ArraySlice<UInt8>,
        _ index: inout Int,
        _ name: String
    ) throws(BitstreamError) -> Int {
        var sum = 0
        while index < rbsp.endIndex {
            let byte = rbsp[index]
            index += 1
            sum += Int(byte)
            if byte < 255 { return sum }
        }
        throw BitstreamError(.truncated, element: name, bit: index * 8)
    }

    private static func append(_ number: Int, to rbsp: inout [UInt8]) {
        rbsp += [UInt8](repeating: 255, count: number / 255)
        rbsp.append(UInt8(number % 255))
    }
}
