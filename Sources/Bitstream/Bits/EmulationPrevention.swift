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
        guard capacity > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            nal.withUnsafeBytes { input in
                let target = UnsafeMutableRawPointer(output.baseAddress!)
                count = remove(from: input, to: target, capacity: capacity, after: precedingZeros)
            }
        }
    }

    /// - Returns: the bytes that were written.
    private static func remove(
        from input: UnsafeRawBufferPointer,
        to output: UnsafeMutableRawPointer,
        capacity: Int,
        after precedingZeros: Int
    ) -> Int {
        var pairs = ZeroPairs(after: precedingZeros)
        var index = 0
        var count = 0
        while index < input.count, count < capacity {
            if index + 8 <= input.count, count + 8 <= capacity {
                let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                if pairs.passes(UInt64(littleEndian: word)) {
                    output.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
                    index += 8
                    count += 8
                    continue
                }
            }
            let byte = input[index]
            index += 1
            if pairs.zeros == 2, byte == 3 {
                pairs.part()
                continue
            }
            output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
            count += 1
            pairs.pass(byte)
        }
        return count
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
    package static func trimmed(_ nal: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var nal = nal
        while nal.last == 0 { nal.removeLast() }
        return nal
    }

    /// Appends bytes, with emulation prevention that counts the zeros that stand at the end.
    static func append(_ rbsp: ArraySlice<UInt8>, to nal: inout [UInt8]) {
        var pairs = ZeroPairs(after: nal.suffix(2).reversed().prefix { $0 == 0 }.count)
        rbsp.withUnsafeBytes { input in
            var index = 0
            var copied = 0
            while index < input.count {
                if index + 8 <= input.count {
                    let word = input.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    if pairs.passes(UInt64(littleEndian: word)) {
                        index += 8
                        continue
                    }
                }
                let byte = input[index]
                if pairs.zeros == 2, byte <= 3 {
                    nal.append(contentsOf: input[copied..<index])
                    nal.append(3)
                    copied = index
                    pairs.part()
                }
                pairs.pass(byte)
                index += 1
            }
            nal.append(contentsOf: input[copied...])
        }
    }
}
