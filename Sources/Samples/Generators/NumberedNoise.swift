/// 64 bits for each sample, as if they were drawn: a function of seed, channel and the sample's number.
struct NumberedNoise {
    private let key: UInt64

    init(seed: Int64, channel: Int) {
        key = Self.mixed(UInt64(bitPattern: seed) << 8 | UInt64(channel))
    }

    func bits(_ sample: Int64) -> UInt64 {
        Self.mixed(key &+ UInt64(bitPattern: sample) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
