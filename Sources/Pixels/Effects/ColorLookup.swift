/// A table of colours and the colours that its first and last points stand for.
package struct ColorLookup: Sendable, Hashable {
    /// A table for each channel, or one for all together.
    package enum Table: Sendable, Hashable {
        case cube(ColorCube)
        case curves(ToneCurves)
    }

    private let table: Table
    /// Brings a colour to 0 … 1 of the table; nil where it is that already.
    private let domain: ColorTransform?

    /// - Parameters:
    ///   - low: red, green and blue at the first points.
    ///   - high: at the last ones, each above `low`.
    package init(_ table: Table, low: SIMD3<Float> = [0, 0, 0], high: SIMD3<Float> = [1, 1, 1]) {
        self.table = table
        guard low != [0, 0, 0] || high != [1, 1, 1] else {
            domain = nil
            return
        }
        let scale = 1 / (high - low)
        let shift = -low * scale
        domain = ColorTransform(
            red: [scale.x, 0, 0, shift.x],
            green: [0, scale.y, 0, shift.y],
            blue: [0, 0, scale.z, shift.z]
        )
    }

    /// Replaces rows of red, green and blue, `stride` values apart, by `amount` of what the table makes of them.
    /// - Parameter spare: room for as many values.
    func apply(
        _ colors: UnsafeMutablePointer<Float>,
        stride: Int,
        count: Int,
        amount: Float,
        spare: UnsafeMutablePointer<Float>
    ) {
        spare.update(from: colors, count: 2 * stride + count)
        domain?.apply(colors, stride: stride, count: count)
        switch table {
        case .cube(let cube): cube.apply(colors, stride: stride, count: count)
        case .curves(let curves): curves.apply(colors, stride: stride, count: count)
        }
        guard amount != 1 else { return }
        for channel in 0..<3 {
            let (row, before) = (colors + channel * stride, spare + channel * stride)
            for index in 0..<count { row[index] = before[index] + (row[index] - before[index]) * amount }
        }
    }
}
