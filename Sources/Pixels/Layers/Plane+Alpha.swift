extension MutablePlane {
    /// Sets every sample to source × alpha / 255, rounded to the nearest.
    /// - Precondition: all three planes have one size; this one may be `source`.
    package func multiply(_ source: Plane, by alpha: Plane) {
        precondition(source.width == width && source.height == height)
        precondition(alpha.width == width && alpha.height == height)
        for y in 0..<height {
            let (from, factors, to) = (source.row(y), alpha.row(y), row(y))
            for x in 0..<width {
                let product = UInt16(from[x]) &* UInt16(factors[x]) &+ 128
                to[x] = UInt8(truncatingIfNeeded: (product &+ (product &>> 8)) &>> 8)
            }
        }
    }

    /// Sets every sample to sample × 255 / alpha, rounded to the nearest and clipped: undoes ``multiply(_:by:)``.
    /// - Parameters:
    ///   - alpha: a plane of this one's size.
    ///   - empty: what samples become whose alpha is 0.
    package func divide(by alpha: Plane, empty: UInt8) {
        precondition(alpha.width == width && alpha.height == height)
        // 255 / alpha in 65536ths: times 255 it fits 32 bits.
        let shares = [UInt32](unsafeUninitializedCapacity: 256) { table, count in
            table[0] = 0
            for value in 1..<256 { table[value] = UInt32((255 * 65536 + value / 2) / value) }
            count = 256
        }
        shares.withUnsafeBufferPointer { shares in
            for y in 0..<height {
                let (factors, to) = (alpha.row(y), row(y))
                for x in 0..<width {
                    let share = shares[Int(factors[x])]
                    let value = (UInt32(to[x]) &* share &+ 32768) &>> 16
                    to[x] = factors[x] == 0 ? empty : UInt8(truncatingIfNeeded: min(255, value))
                }
            }
        }
    }

    /// Brings an alpha of luma's size to chroma's: rows in pairs by their mean; columns, where halved, by ¼ ½ ¼ about
    /// the even ones, where chroma sits.
    /// - Precondition: this plane has the size of chroma for these shifts, 0 or 1 each.
    package func subsampleAlpha(_ alpha: Plane, shiftX: Int, shiftY: Int) {
        precondition((0...1).contains(shiftX) && (0...1).contains(shiftY))
        precondition(width == (alpha.width + shiftX) >> shiftX && height == (alpha.height + shiftY) >> shiftY)
        let last = alpha.width - 1
        for y in 0..<height {
            let upper = alpha.row(y << shiftY)
            let lower = alpha.row(min((y << shiftY) + shiftY, alpha.height - 1))
            let to = row(y)
            for x in 0..<width {
                let column = x &<< shiftX
                let (left, right) = (max(0, column &- shiftX), min(last, column &+ shiftX))
                let sides = Int(upper[left]) &+ Int(upper[right]) &+ Int(lower[left]) &+ Int(lower[right])
                let middle = Int(upper[column]) &+ Int(lower[column])
                to[x] = UInt8(truncatingIfNeeded: (sides &+ 2 &* middle &+ 4) &>> 3)
            }
        }
    }
}

extension Plane {
    /// Whether every sample is 255.
    package var isSolid: Bool {
        for y in 0..<height {
            let row = row(y)
            var all: UInt8 = 255
            for x in 0..<width { all &= row[x] }
            if all != 255 { return false }
        }
        return true
    }

    /// The smallest area that holds all samples above 0; empty when there is none.
    package var nonzeroArea: SampleArea {
        var (left, right, top, bottom) = (width, 0, height, 0)
        for y in 0..<height {
            let row = row(y)
            guard let first = Plane.firstNonzero(row, 0..<width) else { continue }
            var last = width - 1
            while row[last] == 0 { last -= 1 }
            (left, right) = (min(left, first), max(right, last + 1))
            (top, bottom) = (min(top, y), y + 1)
        }
        guard left < right else { return SampleArea(columns: 0..<0, rows: 0..<0) }
        return SampleArea(columns: left..<right, rows: top..<bottom)
    }

    /// Eight samples are looked at together while they are 0.
    private static func firstNonzero(_ row: UnsafePointer<UInt8>, _ columns: Range<Int>) -> Int? {
        var x = columns.lowerBound
        while x + 8 <= columns.upperBound, UnsafeRawPointer(row + x).loadUnaligned(as: UInt64.self) == 0 { x += 8 }
        while x < columns.upperBound {
            if row[x] != 0 { return x }
            x += 1
        }
        return nil
    }
}
