extension MutablePlane {
    /// Paints `source` moved right by `offset` samples over what is here. Between whole samples it is interpolated by
    /// the cubic of Catmull and Rom, and its border samples cover what part of a sample they reach.
    /// - Parameter isBottom: a sample that is reached in part is covered as a whole.
    func place(_ source: Plane, right offset: Double, isBottom: Bool = false) {
        precondition(source.width == width && source.height == height)
        let span = ShiftedSpan(offset: offset, count: width, isBottom: isBottom)
        guard !span.isEmpty else { return }
        for y in 0..<height { span.paintRow(source.row(y), over: row(y)) }
    }

    /// The same, moved down.
    func place(_ source: Plane, down offset: Double, isBottom: Bool = false) {
        precondition(source.width == width && source.height == height)
        let span = ShiftedSpan(offset: offset, count: height, isBottom: isBottom)
        for y in span.covered {
            let cover = span.cover(y)
            guard !span.isWhole else {
                row(y).update(from: source.row(y - span.whole), count: width)
                continue
            }
            let rows = span.taps(y).map { source.row($0) }
            span.paint(rows[0], rows[1], rows[2], rows[3], over: row(y), count: width, cover: cover)
        }
    }
}

/// The places of the samples of a line of `count` when it is moved by a fraction of samples.
private struct ShiftedSpan {
    let count: Int
    /// The offset rounded down, and the rest of 0 ..< 1.
    let whole: Int
    let rest: Float
    private let isBottom: Bool
    /// The weights of the source's samples −1, 0, 1, 2 behind a target sample, in this order.
    private let weights: (Float, Float, Float, Float)

    init(offset: Double, count: Int, isBottom: Bool) {
        self.count = count
        self.isBottom = isBottom
        // 1/4096 of a sample: offsets that are whole but for rounding are whole.
        let steps = (min(max(offset, -1e9), 1e9) * 4096).rounded()
        let floor = (steps / 4096).rounded(.down)
        whole = Int(floor)
        rest = Float(steps / 4096 - floor)
        // Target sample x shows the source at x − offset = (x − whole − 1) + (1 − rest).
        let t = 1 - rest
        weights = (
            ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
            (0.5 * t - 0.5) * t * t
        )
    }

    var isWhole: Bool { rest == 0 }
    /// Target samples that show some of it.
    var covered: Range<Int> {
        let start = max(0, whole)
        return start..<max(start, min(count, whole + count + (isWhole ? 0 : 1)))
    }
    var isEmpty: Bool { covered.isEmpty }

    /// How much of target sample `x` it covers.
    func cover(_ x: Int) -> Float {
        if isWhole || isBottom { return 1 }
        return x == whole ? 1 - rest : x == whole + count ? rest : 1
    }

    /// The source samples that target sample `x` is made of, kept inside.
    func taps(_ x: Int) -> [Int] { (-2..<2).map { min(max(x - whole + $0, 0), count - 1) } }

    func paintRow(_ source: UnsafePointer<UInt8>, over target: UnsafeMutablePointer<UInt8>) {
        let range = covered
        if isWhole {
            (target + range.lowerBound).update(from: source + (range.lowerBound - whole), count: range.count)
            return
        }
        // Samples next to the line's ends are taken one by one; those between have all four neighbours.
        let inner =
            max(
                range.lowerBound,
                whole + 2
            )..<max(max(range.lowerBound, whole + 2), min(range.upperBound, whole + count - 1))
        for x in range where x < inner.lowerBound || x >= inner.upperBound {
            let taps = taps(x)
            paint(
                source + taps[0],
                source + taps[1],
                source + taps[2],
                source + taps[3],
                over: target + x,
                count: 1,
                cover: cover(x)
            )
        }
        let first = source + (inner.lowerBound - whole)
        paint(
            first - 2,
            first - 1,
            first,
            first + 1,
            over: target + inner.lowerBound,
            count: inner.count,
            cover: 1
        )
    }

    func paint(
        _ a: UnsafePointer<UInt8>,
        _ b: UnsafePointer<UInt8>,
        _ c: UnsafePointer<UInt8>,
        _ d: UnsafePointer<UInt8>,
        over target: UnsafeMutablePointer<UInt8>,
        count: Int,
        cover: Float
    ) {
        let (wa, wb, wc, wd) = weights
        for x in 0..<count {
            let sum = (Float(a[x]) * wa + Float(b[x]) * wb) + (Float(c[x]) * wc + Float(d[x]) * wd)
            let value = min(max(sum, 0), 255) * cover + Float(target[x]) * (1 - cover) + 0.5
            target[x] = UInt8(truncatingIfNeeded: Int32(value))
        }
    }
}
