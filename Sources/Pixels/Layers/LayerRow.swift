/// The columns of a target that a layer touches in one row.
struct LayerSpan {
    /// Columns with a value, an alpha and a weight.
    let columns: Range<Int>
    /// Columns of ``columns`` that the layer hides wholly, as far as its weight decides it.
    let solid: Range<Int>

    static let empty = LayerSpan(columns: 0..<0, solid: 0..<0)
}

/// Samples of a layer in one row, indexed by the target's columns.
enum LayerRowContent {
    case opaque(RowBuffer<UInt8>)
    /// Samples times alpha, and alpha: both in 64ths of code values.
    case translucent(products: RowBuffer<Int16>, alphas: RowBuffer<Int16>)
}

/// What a layer shows in one row of a target plane, indexed by the target's columns.
///
/// Weights are 32768ths: coverage of the border times opacity.
final class LayerRow {
    static let fullWeight: UInt16 = 32768

    let content: LayerRowContent
    let weights: RowBuffer<UInt16>

    init(width: Int, hasAlpha: Bool) {
        content =
            hasAlpha
            ? .translucent(
                products: RowBuffer(count: width, repeating: 0),
                alphas: RowBuffer(count: width, repeating: 0)
            )
            : .opaque(RowBuffer(count: width, repeating: 0))
        weights = RowBuffer(count: width, repeating: 0)
    }

    /// Lays the row over `target`: weight × alpha decides how much of the layer is seen.
    func paint(_ span: LayerSpan, over target: UnsafeMutablePointer<UInt8>) {
        let (columns, solid) = (span.columns, span.solid)
        guard !columns.isEmpty else { return }
        switch content {
        case .opaque(let values):
            guard !solid.isEmpty else { return mix(values, columns, over: target) }
            mix(values, columns.lowerBound..<solid.lowerBound, over: target)
            (target + solid.lowerBound).update(from: values.base + solid.lowerBound, count: solid.count)
            mix(values, solid.upperBound..<columns.upperBound, over: target)
        case .translucent(let products, let alphas):
            mixProducts(
                products.base + columns.lowerBound,
                alphas.base + columns.lowerBound,
                weights.base + columns.lowerBound,
                over: target + columns.lowerBound,
                count: columns.count
            )
        }
    }

    /// Adds what the row covers to `alpha`, where 255 is all.
    func cover(_ span: LayerSpan, over alpha: UnsafeMutablePointer<UInt8>) {
        let (first, count) = (span.columns.lowerBound, span.columns.count)
        guard count > 0 else { return }
        switch content {
        case .opaque:
            for x in span.columns {
                let rest = UInt32(32768 &- weights.base[x]) &* UInt32(255 &- alpha[x])
                alpha[x] = UInt8(truncatingIfNeeded: 255 &- (rest &+ 16384) &>> 15)
            }
        case .translucent(_, let alphas):
            let own = alphas.base + first
            mixProducts(own, own, weights.base + first, over: alpha + first, count: count)
        }
    }

    private func mix(_ values: RowBuffer<UInt8>, _ columns: Range<Int>, over target: UnsafeMutablePointer<UInt8>) {
        guard !columns.isEmpty else { return }
        mixWeighted(
            values.base + columns.lowerBound,
            weights.base + columns.lowerBound,
            over: target + columns.lowerBound,
            count: columns.count
        )
    }
}

/// target = ⌊(w × value + (32768 − w) × target) / 32768 + ½⌋. Weights are cut into bytes as in `Plane.blend`: with
/// w = 128·h + l the products and sums fit 16-bit lanes.
func mixWeighted(
    _ values: UnsafePointer<UInt8>,
    _ weights: UnsafePointer<UInt16>,
    over target: UnsafeMutablePointer<UInt8>,
    count: Int
) {
    for index in 0..<count {
        let (a, b) = (UInt16(values[index]), UInt16(target[index]))
        let weight = weights[index]
        let rest = 32768 &- weight
        let high = a &* (weight &>> 7) &+ b &* (rest &>> 7)
        let low = a &* (weight & 127) &+ b &* (rest & 127)
        target[index] = UInt8(truncatingIfNeeded: (high &+ (low &>> 7) &+ 128) &>> 8)
    }
}

/// target = w × product + (1 − w × alpha) × target, rounded to the nearest. Where a filter overshoots, the product is
/// divided by what alpha is above 1; what lies below zero counts as 0. So all fits 16 bits.
private func mixProducts(
    _ products: UnsafePointer<Int16>,
    _ alphas: UnsafePointer<Int16>,
    _ weights: UnsafePointer<UInt16>,
    over target: UnsafeMutablePointer<UInt8>,
    count: Int
) {
    for index in 0..<count {
        let weight = Int16(truncatingIfNeeded: weights[index] &>> 1)
        let alpha = max(0, min(16320, alphas[index]))
        // Divided by 1 + e, which is about 1 − e + e².
        let over = max(0, alphas[index] &- 16320)
        let part = over &- scaled(over, over)
        let product = max(0, min(alpha, products[index] &- scaled(products[index], part)))
        // In 64ths again; a full weight is 2^14.
        let hidden = UInt16(truncatingIfNeeded: scaled(alpha, weight))
        let seen = UInt16(truncatingIfNeeded: scaled(product, weight))
        // 0 … 255 · 64 becomes 32768 … 0.
        let rest = 32768 &- (hidden &<< 1) &- (hidden &+ (hidden &>> 8) &+ 64) &>> 7
        let below = UInt16(target[index])
        let sum = below &* (rest &>> 7) &+ (below &* (rest & 127)) &>> 7 &+ seen &<< 2
        target[index] = UInt8(truncatingIfNeeded: (sum &+ 128) &>> 8)
    }
}

/// value × factor / 2^14, rounded to the nearest.
@inline(__always)
private func scaled(_ value: Int16, _ factor: Int16) -> Int16 {
    Int16(truncatingIfNeeded: (Int32(value) &* Int32(factor) &+ 8192) &>> 14)
}
