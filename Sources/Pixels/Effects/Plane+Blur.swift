extension MutablePlane {
    /// Sets this plane to `source`, blurred by a Gaussian. Beyond the border the outermost samples go on.
    ///
    /// A wide Gaussian is made of a smaller copy: while its standard deviation is above 5.5 samples a side is halved.
    /// - Parameters:
    ///   - sigmaX: standard deviation along rows in samples; below 0.1 nothing is blurred.
    ///   - sigmaY: along columns.
    /// - Precondition: `source` has this plane's size and does not overlap it.
    package func blur(_ source: Plane, sigmaX: Double, sigmaY: Double) {
        precondition(source.width == width && source.height == height)
        guard width > 0, height > 0 else { return }
        let (across, down) = (Halving(sigmaX, count: width), Halving(sigmaY, count: height))
        guard across.count < width || down.count < height else {
            return filter(source, across.sigma, down.sigma)
        }
        let (small, blurred) = (
            PlaneBuffer(width: across.count, height: down.count), PlaneBuffer(width: across.count, height: down.count)
        )
        small.mutablePlane.resample(source, domain: SampleArea(of: source))
        blurred.mutablePlane.filter(small.plane, across.sigma, down.sigma)
        resample(blurred.plane, domain: SampleArea(of: blurred.plane))
    }

    private func filter(_ source: Plane, _ sigmaX: Double, _ sigmaY: Double) {
        let across = AxisFilter(gaussian: sigmaX, count: width)
        let down = AxisFilter(gaussian: sigmaY, count: height)
        let rowFilter = RowFilter(across)
        let middle = RowBuffer<Int16>(count: width, repeating: 0)
        for y in 0..<height {
            ColumnFilter.sum(
                source.row(Int(down.starts.base[y])),
                stride: source.stride,
                coefficients: down.coefficients.base + y * down.tapCount,
                tapCount: down.tapCount,
                into: middle
            )
            rowFilter.apply(middle.base, into: row(y))
        }
    }

    /// Adds `amount` × (source − its blurred copy): an unsharp mask. In 256ths of the difference.
    /// - Precondition: both planes have this one's size.
    package func sharpen(_ source: Plane, blurred: Plane, amount: Int) {
        precondition(source.width == width && source.height == height)
        precondition(blurred.width == width && blurred.height == height)
        let factor = Int32(max(-65536, min(65536, amount)))
        for y in 0..<height {
            let (sharp, soft, to) = (source.row(y), blurred.row(y), row(y))
            for x in 0..<width {
                let difference = Int32(sharp[x]) &- Int32(soft[x])
                let sum = Int32(sharp[x]) &+ (difference &* factor &+ 128) &>> 8
                to[x] = UInt8(truncatingIfNeeded: max(0, min(255, sum)))
            }
        }
    }
}

/// How often a side is halved before a Gaussian is applied, and what is left of its width.
private struct Halving {
    let count: Int
    let sigma: Double

    init(_ sigma: Double, count: Int) {
        let whole = sigma.isFinite ? min(max(0, sigma), 4 * Double(count)) : 0
        var (rest, size) = (whole, count)
        while rest > 5.5, size > 16 {
            size = (size + 1) / 2
            rest = whole * Double(size) / Double(count)
        }
        (self.count, self.sigma) = (size, rest)
    }
}

extension SampleArea {
    init(of plane: Plane) { self.init(columns: 0..<plane.width, rows: 0..<plane.height) }
}
