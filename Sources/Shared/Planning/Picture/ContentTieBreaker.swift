import Timing

/// A hash of local content that is the same on every machine and in every process.
struct ContentTieBreaker {
    /// The hash of everything mixed in so far; 0 before the first word.
    private(set) var value: UInt64 = 0

    /// Applies splitmix64's finaliser to the running value and `word`.
    mutating func mix(_ word: UInt64) {
        var bits = (value ^ word) &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        value = bits ^ (bits >> 31)
    }

    mutating func mix(_ time: RationalTime) {
        mix(UInt64(bitPattern: time.numerator))
        mix(UInt64(bitPattern: time.denominator))
    }

    mutating func mix(_ source: SliceSource?, assets: AssetTable) {
        guard let source else { return mix(0) }
        mix(assets.seed(source))
        mix(UInt64(bitPattern: Int64(source.stream)))
        mix(source.start)
        for time in [source.itemTime, source.trackTime].compactMap(\.self) { mix(time) }
    }

    mutating func mix(_ layers: [SliceLayer], assets: AssetTable) {
        mix(UInt64(layers.count))
        for layer in layers {
            mix(layer.from, assets: assets)
            mix(layer.to, assets: assets)
            // Equal titles over equal sources tie alike, whatever they say.
            if let title = layer.title { mix(title.itemTime ?? .zero) }
        }
    }
}
