/// The byte 3 that keeps a NAL unit free of start codes: 00 00 01 becomes 00 00 03 01 (ITU-T H.264, 7.4.1; H.265, 7.4.2).
package enum EmulationPrevention {
    /// The bytes without emulation prevention.
    /// - Parameters:
    ///   - nal: of a NAL unit, its header among them.
    ///   - limit: bytes that are wanted at the most.
    ///   - precedingZeros: zeros that stand before the bytes.
    package static func removed(
        from nal: ArraySlice<UInt8>,
        limit: Int = .max,
        after precedingZeros: Int = 0
    ) -> [UInt8] {
        let capacity = min(nal.count, limit)
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            nal.withUnsafeBufferPointer { input in
                var zeros = precedingZeros
                var index = 0
                while index < input.count, count < capacity {
                    if zeros == 0, index + 8 <= input.count, count + 8 <= capacity {
                        let word = UnsafeRawPointer(input.baseAddress! + index).loadUnaligned(as: UInt64.self)
                        if !hasZero(word) {
                            UnsafeMutableRawPointer(output.baseAddress! + count).storeBytes(of: word, as: UInt64.self)
                            index += 8
                            count += 8
                            continue
                        }
                    }
                    let byte = input[index]
                    index += 1
                    if zeros >= 2, byte == 3 {
                        zeros = 0
                        continue
                    }
                    output[count] = byte
                    count += 1
                    zeros = byte == 0 ? zeros + 1 : 0
                }
            }
        }
    }

    /// The bytes of a NAL unit with emulation prevention, ending with 3 where the last byte is 0 (cabac_zero_words).
    package static func added(to rbsp: [UInt8]) -> [UInt8] {
        var nal: [UInt8] = []
        nal.reserveCapacity(rbsp.count + rbsp.count / 64 + 16)
        append(rbsp[...], to: &nal)
        if nal.last == 0 { nal.append(3) }
        return nal
    }

    /// A NAL unit without zeros behind it: none ends with 0 (H.264, 7.4.1; H.265, 7.4.2), but samples may be padded.
    static func trimmed(_ nal: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var nal = nal
        while nal.last == 0 { nal.removeLast() }
        return nal
    }

    /// Appends bytes, with emulation prevention that counts the zeros that stand at the end.
    static func append(_ rbsp: ArraySlice<UInt8>, to nal: inout [UInt8]) {
        var zeros = nal.suffix(2).reversed().prefix { $0 == 0 }.count
        rbsp.withUnsafeBufferPointer { input in
            var index = 0
            var copied = 0
            while index < input.count {
                if zeros == 0, index + 8 <= input.count {
                    let word = UnsafeRawPointer(input.baseAddress! + index).loadUnaligned(as: UInt64.self)
                    if !hasZero(word) {
                        index += 8
                        continue
                    }
                }
                let byte = input[index]
                if zeros >= 2, byte <= 3 {
                    nal.append(contentsOf: UnsafeBufferPointer(rebasing: input[copied..<index]))
                    nal.append(3)
                    copied = index
                    zeros = 0
                }
                zeros = byte == 0 ? zeros + 1 : 0
                index += 1
            }
            nal.append(contentsOf: UnsafeBufferPointer(rebasing: input[copied...]))
        }
    }

    /// Whether a byte of the eight is 0 (Mycroft 1987).
    @inline(__always)
    private static func hasZero(_ word: UInt64) -> Bool {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }
}
