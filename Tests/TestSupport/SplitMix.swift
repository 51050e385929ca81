/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
package struct SplitMix: RandomNumberGenerator, Sendable {
    package var state: UInt64

    package init(state: UInt64) { self.state = state }

    /// The same numbers for the same seed, everywhere.
    package init(seed: UInt64) { self.init(state: seed) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// 0 ..< `limit`; 0 for a limit that is not above 0.
    package mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// A number of a random size: small ones as often as huge ones, and the very edges now and then.
    package mutating func anyInt64() -> Int64 {
        if Int.random(in: 0..<20, using: &self) == 0 {
            return [.min, .max, 0, 1, -1].randomElement(using: &self) ?? 0
        }
        return Int64(bitPattern: next()) >> Int64.random(in: 0..<63, using: &self)
    }
}
