/// Reads H.264's recovery point SEI (D.1.7, D.2.7).
enum RecoveryPoint {
    /// Messages looked at before a damaged unit is given up.
    private static let patience = 32

    /// - Parameter sei: a SEI unit after its header byte; what follows it may be attached.
    /// - Returns: whether a message says that decoding may start here with an exact match at once: its first three bits
    ///   are recovery_frame_cnt 0 (coded as 1), exact_match_flag 1, broken_link_flag 0.
    static func isExact(sei: Slice<UnsafeRawBufferPointer>) -> Bool {
        var bytes = UnescapedBytes(rest: sei)
        for _ in 0..<patience {
            guard let type = bytes.number(), let size = bytes.number() else { return false }
            // rbsp_trailing_bits, seen as a type, ends the messages.
            if type == 128 { return false }
            guard let first = bytes.next() else { return false }
            if type == 6 { return first & 0b1110_0000 == 0b1100_0000 }
            for _ in 1..<max(1, size) { guard bytes.next() != nil else { return false } }
        }
        return false
    }
}

/// The bytes of a NAL unit without emulation prevention (7.4.1): 00 00 03 stands for 00 00; 00 00 01 is its end.
private struct UnescapedBytes {
    var rest: Slice<UnsafeRawBufferPointer>
    private var zeros = 0

    init(rest: Slice<UnsafeRawBufferPointer>) {
        self.rest = rest
    }

    mutating func next() -> UInt8? {
        guard var byte = rest.popFirst() else { return nil }
        if zeros >= 2 {
            if byte == 1 { return nil }
            if byte == 3 {
                zeros = 0
                guard let following = rest.popFirst() else { return nil }
                byte = following
            }
        }
        zeros = byte == 0 ? zeros + 1 : 0
        return byte
    }

    /// A number written as a run of 255 and a last byte below.
    mutating func number() -> Int? {
        var sum = 0
        while let byte = next() {
            sum += Int(byte)
            if byte != 255 { return sum }
        }
        return nil
    }
}
