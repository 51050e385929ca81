/// Finds two zeros behind each other among bytes, eight at a time: what emulation prevention is about is rare.
struct ZeroPairs {
    /// Zeros at the end of what was looked at, 0 … 2.
    private(set) var zeros: Int

    init(after zeros: Int) { self.zeros = zeros }

    /// Passes over eight bytes in which no two zeros follow each other, those before them counted.
    /// - Parameter word: little-endian, the first byte in the lowest place.
    /// - Returns: false, with nothing passed over, when there are two.
    @inline(__always)
    mutating func passes(_ word: UInt64) -> Bool {
        guard zeros < 2 else { return false }
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        // 0x80 in each byte that is 0, exactly (Warren, Hacker's Delight, 6-1).
        let zero = ~((word & low &+ low) | word | low)
        let before: UInt64 = zeros == 1 ? 0x80 : 0
        guard zero & (zero << 8 | before) == 0 else { return false }
        zeros = zero >> 63 == 0 ? 0 : 1
        return true
    }

    @inline(__always)
    mutating func pass(_ byte: UInt8) { zeros = byte == 0 ? min(zeros + 1, 2) : 0 }

    /// A byte of emulation prevention parts the zeros.
    @inline(__always)
    mutating func part() { zeros = 0 }
}
