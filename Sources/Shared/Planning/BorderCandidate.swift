import Timing

/// A frame at which a segment may begin.
struct BorderCandidate: Hashable {
    /// On the composition's timeline.
    var frame: Int64
    var reason: BorderReason
    /// Frames that a segment which begins here decodes before the first one that it shows, over all of its sources.
    var lead: Int64 = 0
    /// Orders candidates of one strength and lead: drawn from the content around the border, never from its place on
    /// the timeline, so that the same cut wins wherever it stands.
    var tie: UInt64

    /// Whether this is to be kept rather than `other`. A total order for candidates of different frames; the frame
    /// decides only between borders whose surroundings are the same.
    func isStronger(than other: BorderCandidate) -> Bool {
        if reason.strength != other.reason.strength { return reason.strength > other.reason.strength }
        if lead != other.lead { return lead < other.lead }
        if tie != other.tie { return tie < other.tie }
        return frame < other.frame
    }
}

extension BorderReason {
    /// cut > transition > keyframe > length. The others are never chosen between.
    var strength: Int {
        switch self {
        case .edge, .forced: 4
        case .cut: 3
        case .transition: 2
        case .keyframe: 1
        case .length, .middle: 0
        }
    }
}

/// A hash of local content: the same on every machine and in every process.
struct ContentTie {
    private(set) var value: UInt64 = 0

    /// splitmix64's finaliser over the running value and `word`.
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
