/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, everywhere.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number of a random size: small ones as often as huge ones, and the very edges now and then.
    mutating func anyInt64() -> Int64 {
        if Int.random(in: 0..<20, using: &self) == 0 { return [.min, .max, 0, 1, -1].randomElement(using: &self)! }
        return Int64(bitPattern: next()) >> Int64.random(in: 0..<63, using: &self)
    }
}
