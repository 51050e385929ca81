/// A layer that is turned, skewed or seen in perspective: each sample is a weighted mean of four neighbours.
///
/// The picture has to have been shrunk to about the size that it is seen in.
final class ProjectiveSampler {
    let row: LayerRow
    let rows: Range<Int>
    private let layer: LayerPlane
    private let width: Int
    private let opacity: UInt16
    private let borders: [(BorderLine, BorderLine)]
    /// The layer's box in the target with half a sample around it: beyond it the borders of a sharp corner go on.
    private let bounds: SampleArea
    private let places: PlaceRow

    init?(_ layer: LayerPlane, outline: LayerOutline, size: (width: Int, height: Int), opacity: UInt16) {
        guard let inverse = layer.sampling.inverse, let back = outline.projection.inverse else { return nil }
        (self.layer, width, self.opacity) = (layer, size.width, opacity)
        borders = BorderLine.pairs(of: outline.box, inverse: back)
        places = PlaceRow(inverse: inverse, domain: layer.domain, width: size.width)
        row = LayerRow(width: size.width, hasAlpha: layer.alpha != nil)
        bounds = outline.bounds(width: size.width, height: size.height)
        rows = bounds.rows
        if bounds.isEmpty { return nil }
    }

    func fill(row y: Int) -> LayerSpan {
        let columns = columns(row: y, distance: -0.5)
        guard !columns.isEmpty else { return .empty }
        let inner = self.columns(row: y, distance: 1.5)
        weigh(columns, inner: inner, row: y)
        places.fill(columns, row: y)
        fill(columns)
        return LayerSpan(columns: columns, solid: opacity == LayerRow.fullWeight ? inner : 0..<0)
    }

    /// The columns of row `y` whose centres are at least `distance` inside all borders; a little more at the ends.
    private func columns(row y: Int, distance: Double) -> Range<Int> {
        var range = bounds.columns
        for (first, second) in borders {
            range = range.clamped(to: first.columns(row: y, distance: distance, width: width))
            range = range.clamped(to: second.columns(row: y, distance: distance, width: width))
        }
        return range
    }

    private func weigh(_ columns: Range<Int>, inner: Range<Int>, row y: Int) {
        let solid = inner.isEmpty ? columns.lowerBound..<columns.lowerBound : inner
        weighBorder(columns.lowerBound..<solid.lowerBound, row: y)
        (row.weights.base + solid.lowerBound).update(repeating: opacity, count: solid.count)
        weighBorder(solid.upperBound..<columns.upperBound, row: y)
    }

    private func weighBorder(_ columns: Range<Int>, row y: Int) {
        for x in columns {
            var share = 1.0
            for pair in borders { share *= coverage(between: pair, column: x, row: y) }
            row.weights.base[x] = places.isBehind(x, row: y) ? 0 : UInt16((share * Double(opacity)).rounded())
        }
    }

    private func fill(_ columns: Range<Int>) {
        switch row.content {
        case .opaque(let values):
            gather(layer.samples, columns, into: values.base) { UInt8(truncatingIfNeeded: ($0 &+ 32768) &>> 16) }
        case .translucent(let products, let alphas):
            gather(layer.samples, columns, into: products.base) { Int16(truncatingIfNeeded: ($0 &+ 512) &>> 10) }
            guard let alpha = layer.alpha else { return }
            gather(alpha, columns, into: alphas.base) { Int16(truncatingIfNeeded: ($0 &+ 512) &>> 10) }
        }
    }

    /// - Parameter finish: makes an output of a sum in 65536ths.
    @inline(__always)
    private func gather<Output>(
        _ plane: Plane,
        _ columns: Range<Int>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let (across, down) = (places.across.base, places.down.base)
        let right = layer.domain.columns.count > 1 ? 1 : 0
        let below = layer.domain.rows.count > 1 ? plane.stride : 0
        let origin = plane.row(layer.domain.rows.lowerBound) + layer.domain.columns.lowerBound
        let stride = plane.stride
        for x in columns {
            let (u, v) = (across[x], down[x])
            let (fractionU, fractionV) = (u & 511, v & 511)
            let upper = origin + (Int(v &>> 9) &* stride &+ Int(u &>> 9))
            let lower = upper + below
            let left = (Int32(upper[0]) &<< 8) &+ (Int32(lower[0]) &- Int32(upper[0])) &* fractionV
            let next = (Int32(upper[right]) &<< 8) &+ (Int32(lower[right]) &- Int32(upper[right])) &* fractionV
            output[x] = finish((left &<< 8) &+ (next &- left) &* fractionU)
        }
    }
}

/// The places in the source of the samples of one row of the target.
private final class PlaceRow {
    /// Column × 512 + 256ths of the way to the next, 0 … 256, counted from the domain's first; likewise rows.
    let across: RowBuffer<Int32>
    let down: RowBuffer<Int32>
    private let inverse: Projection
    private let domain: SampleArea
    /// The centres of the target's columns.
    private let centers: RowBuffer<Double>
    private let reciprocals: RowBuffer<Double>

    /// - Parameter inverse: source ← target.
    init(inverse: Projection, domain: SampleArea, width: Int) {
        (self.inverse, self.domain) = (inverse, domain)
        across = RowBuffer(count: width, repeating: 0)
        down = RowBuffer(count: width, repeating: 0)
        centers = RowBuffer(count: width, repeating: 0)
        reciprocals = RowBuffer(count: width, repeating: 0)
        for x in 0..<width { centers.base[x] = Double(x) + 0.5 }
    }

    /// Whether a target sample shows what lies behind the eye.
    func isBehind(_ x: Int, row y: Int) -> Bool {
        !(inverse.wx * (Double(x) + 0.5) + (inverse.wy * (Double(y) + 0.5) + inverse.w1) > 0)
    }

    func fill(_ columns: Range<Int>, row y: Int) {
        let center = Double(y) + 0.5
        // The centre of the domain's first sample is at 0.
        let shift = (Double(domain.columns.lowerBound) + 0.5, Double(domain.rows.lowerBound) + 0.5)
        let u = (inverse.xx - shift.0 * inverse.wx, (inverse.xy - shift.0 * inverse.wy) * center + inverse.x1)
        let v = (inverse.yx - shift.1 * inverse.wx, (inverse.yy - shift.1 * inverse.wy) * center + inverse.y1)
        let starts = (u.1 - shift.0 * inverse.w1, v.1 - shift.1 * inverse.w1)
        let (from, count) = (columns.lowerBound, columns.count)
        let (right, bottom) = (domain.columns.count - 1, domain.rows.count - 1)
        if inverse.isAffine {
            place(u.0, starts.0, last: right, into: across.base + from, centers.base + from, count)
            place(v.0, starts.1, last: bottom, into: down.base + from, centers.base + from, count)
            return
        }
        let (slope, start) = (inverse.wx, inverse.wy * center + inverse.w1)
        let (centers, reciprocals) = (centers.base + from, reciprocals.base + from)
        for x in 0..<count { reciprocals[x] = 1 / (slope * centers[x] + start) }
        place(u.0, starts.0, times: reciprocals, last: right, into: across.base + from, centers, count)
        place(v.0, starts.1, times: reciprocals, last: bottom, into: down.base + from, centers, count)
    }

    // One output for each loop: the compiler makes vectors of these.

    private func place(
        _ slope: Double,
        _ start: Double,
        last: Int,
        into output: UnsafeMutablePointer<Int32>,
        _ centers: UnsafePointer<Double>,
        _ count: Int
    ) {
        let (limit, final) = (Double(last), Int32(max(0, last - 1)))
        for x in 0..<count { output[x] = packed(slope * centers[x] + start, limit: limit, final: final) }
    }

    private func place(
        _ slope: Double,
        _ start: Double,
        times factors: UnsafePointer<Double>,
        last: Int,
        into output: UnsafeMutablePointer<Int32>,
        _ centers: UnsafePointer<Double>,
        _ count: Int
    ) {
        let (limit, final) = (Double(last), Int32(max(0, last - 1)))
        for x in 0..<count {
            output[x] = packed((slope * centers[x] + start) * factors[x], limit: limit, final: final)
        }
    }
}

/// 3 × 2^51: added to a number it moves the nearest whole number into the lowest bits of its pattern.
private let magic = 6_755_399_441_055_744.0

/// A place between samples, kept within 0 … `limit` (not a number becomes 0), as ``PlaceRow`` holds it.
@inline(__always)
private func packed(_ place: Double, limit: Double, final: Int32) -> Int32 {
    let above = place > 0 ? place : 0
    let inside = above < limit ? above : limit
    let fixed = Int32(truncatingIfNeeded: (inside * 256 + magic).bitPattern)
    let whole = min(fixed &>> 8, final)
    return (whole &<< 8) &+ fixed
}
