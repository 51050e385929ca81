/// Puts a new header before the data of a slice, whose bits stay as they are.
///
/// Data that stay at the same place within their bytes are copied as they are, apart from the first few, where a byte of
/// emulation prevention may come or go. Others are shifted.
enum PayloadSplice {
    /// - Parameters:
    ///   - head: the new header; it may end within a byte.
    ///   - nal: the old NAL unit; its last byte is not 0.
    ///   - bit: the first that is kept, from the NAL unit's first, without emulation prevention.
    /// - Returns: the NAL unit, with emulation prevention.
    static func nal(head: BitWriter, keeping nal: ArraySlice<UInt8>, from bit: Int) -> [UInt8] {
        var head = head
        var source = Source(nal, byte: bit >> 3)
        if bit & 7 != 0, let byte = source.next() {
            head.write(Int(byte), bits: 8 - bit & 7)
        }
        var output: [UInt8] = []
        output.reserveCapacity(head.bytes.count + source.rest.count + source.rest.count / 64 + 16)
        EmulationPrevention.append(head.bytes[...], to: &output)
        if head.isAligned {
            copy(&source, to: &output)
        } else {
            let rbsp = EmulationPrevention.removed(from: source.rest, after: source.zeros)
            EmulationPrevention.append(shifted(rbsp, behind: head)[...], to: &output)
        }
        return output
    }

    /// Copies byte by byte until both sides have seen as many zeros, then the rest at once.
    private static func copy(_ source: inout Source, to output: inout [UInt8]) {
        var zeros = output.suffix(2).reversed().prefix { $0 == 0 }.count
        while zeros != source.zeros, let byte = source.next() {
            if zeros == 2, byte <= 3 {
                output.append(3)
                zeros = 0
            }
            output.append(byte)
            zeros = byte == 0 ? min(zeros + 1, 2) : 0
        }
        output.append(contentsOf: source.rest)
    }

    /// The bytes behind the bits that `head` has pending, without what the shift leaves of the padding.
    private static func shifted(_ bytes: [UInt8], behind head: BitWriter) -> [UInt8] {
        let count = UInt64(head.pendingCount)
        var result = [UInt8](unsafeUninitializedCapacity: bytes.count + 1) { output, written in
            bytes.withUnsafeBytes { input in
                let target = UnsafeMutableRawPointer(output.baseAddress!)
                var carry = UInt64(head.pending)
                var index = 0
                while index + 8 <= input.count {
                    let word = UInt64(bigEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    let moved = carry << (64 - count) | word >> count
                    target.storeBytes(of: moved.bigEndian, toByteOffset: index, as: UInt64.self)
                    carry = word & (1 << count - 1)
                    index += 8
                }
                while index < input.count {
                    let byte = UInt64(input[index])
                    output[index] = UInt8(truncatingIfNeeded: carry << (8 - count) | byte >> count)
                    carry = byte & (1 << count - 1)
                    index += 1
                }
                output[index] = UInt8(truncatingIfNeeded: carry << (8 - count))
                written = index + 1
            }
        }
        // Only zeros follow rbsp_stop_one_bit, and a NAL unit does not end with a byte of zeros (7.4.1).
        while result.last == 0 { result.removeLast() }
        return result
    }

    /// Reads a NAL unit byte by byte, passing over emulation prevention.
    private struct Source {
        /// What was not read, with emulation prevention.
        private(set) var rest: ArraySlice<UInt8>
        /// Zeros just before ``rest`` that count for emulation prevention, 0 … 2.
        private(set) var zeros = 0

        /// - Parameter byte: the first to be read, without emulation prevention.
        init(_ nal: ArraySlice<UInt8>, byte: Int) {
            rest = nal
            for _ in 0..<byte { _ = next() }
        }

        mutating func next() -> UInt8? {
            guard var byte = rest.popFirst() else { return nil }
            if zeros == 2, byte == 3 {
                zeros = 0
                guard let following = rest.popFirst() else { return nil }
                byte = following
            }
            zeros = byte == 0 ? min(zeros + 1, 2) : 0
            return byte
        }
    }
}
