/// scaling_list(): quantiser weights of one kind of block, as they are coded (ITU-T H.264, 7.3.2.1.1.1).
package struct H264ScalingList: Hashable, Sendable {
    /// delta_scale, up to the one that ends the list or makes the rest repeat the last weight.
    package var deltas: [Int] = []

    package init() {}

    /// - Parameter size: weights of the block, 16 or 64.
    mutating func code(_ coder: inout SyntaxCoder, size: Int) throws(BitstreamError) {
        var scale = 8
        var index = 0
        if coder.isReading { deltas = [] }
        while index < size, scale != 0 {
            if coder.isReading { deltas.append(0) }
            guard index < deltas.count else { throw coder.error(.outOfRange(deltas.count), "delta_scale") }
            try coder.se(&deltas[index], "delta_scale", in: -128...127)
            scale = (scale + deltas[index] + 256) % 256
            index += 1
        }
        guard index == deltas.count else { throw coder.error(.outOfRange(deltas.count), "delta_scale") }
    }

    /// Lists of six kinds of 4 × 4 blocks and then of 8 × 8 blocks; nil falls back (table 7-2).
    static func code(
        _ lists: inout [H264ScalingList?],
        count: Int,
        _ name: StaticString,
        _ coder: inout SyntaxCoder
    ) throws(BitstreamError) {
        var index = 0
        try coder.list(&lists, count: count, of: nil, name) { coder, list throws(BitstreamError) in
            try coder.presence(of: &list, name, else: H264ScalingList())
            try list?.code(&coder, size: index < 6 ? 16 : 64)
            index += 1
        }
    }
}
