/// Sums rows, each times its coefficient: the vertical half of a resampling.
enum ColumnFilter {
    /// output[x] = ⌊Σ row k's sample x × coefficient k / 256 + ½⌋: 64ths of a code value. Rows lie `stride` bytes
    /// apart.
    static func sum(
        _ samples: UnsafePointer<UInt8>,
        stride: Int,
        coefficients: UnsafePointer<Int16>,
        tapCount: Int,
        into output: RowBuffer<Int16>
    ) {
        let count = output.count
        switch tapCount {
        case 1: for x in 0..<count { output.base[x] = Int16(samples[x]) &<< 6 }
        case 4: sum4(samples, stride: stride, coefficients: coefficients, into: output.base, count: count)
        default:
            sumMany(samples, stride: stride, coefficients: coefficients, tapCount: tapCount, into: output)
        }
    }

    private static func sum4(
        _ samples: UnsafePointer<UInt8>,
        stride: Int,
        coefficients: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Int16>,
        count: Int
    ) {
        let (row0, row1) = (samples, samples + stride)
        let (row2, row3) = (samples + 2 * stride, samples + 3 * stride)
        let (c0, c1) = (Int32(coefficients[0]), Int32(coefficients[1]))
        let (c2, c3) = (Int32(coefficients[2]), Int32(coefficients[3]))
        for x in 0..<count {
            let upper = Int32(row0[x]) &* c0 &+ Int32(row1[x]) &* c1
            let lower = Int32(row2[x]) &* c2 &+ Int32(row3[x]) &* c3
            output[x] = Int16(truncatingIfNeeded: (upper &+ lower &+ 128) &>> 8)
        }
    }

    /// Sums in blocks that stay in the first cache.
    private static func sumMany(
        _ samples: UnsafePointer<UInt8>,
        stride: Int,
        coefficients: UnsafePointer<Int16>,
        tapCount: Int,
        into output: RowBuffer<Int16>
    ) {
        let block = 512
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: block) { sums in
            guard let sums = sums.baseAddress else { return }
            for from in Swift.stride(from: 0, to: output.count, by: block) {
                let count = min(block, output.count - from)
                sums.update(repeating: 128, count: count)
                for tap in Swift.stride(from: 0, to: tapCount & ~3, by: 4) {
                    add4(samples + (from + tap * stride), stride, coefficients + tap, to: sums, count: count)
                }
                for tap in tapCount & ~3..<tapCount {
                    let row = samples + (from + tap * stride)
                    let coefficient = Int32(coefficients[tap])
                    for x in 0..<count { sums[x] &+= Int32(row[x]) &* coefficient }
                }
                for x in 0..<count { output.base[from + x] = Int16(truncatingIfNeeded: sums[x] &>> 8) }
            }
        }
    }

    private static func add4(
        _ samples: UnsafePointer<UInt8>,
        _ stride: Int,
        _ coefficients: UnsafePointer<Int16>,
        to sums: UnsafeMutablePointer<Int32>,
        count: Int
    ) {
        let (row0, row1) = (samples, samples + stride)
        let (row2, row3) = (samples + 2 * stride, samples + 3 * stride)
        let (c0, c1) = (Int32(coefficients[0]), Int32(coefficients[1]))
        let (c2, c3) = (Int32(coefficients[2]), Int32(coefficients[3]))
        for x in 0..<count {
            let upper = Int32(row0[x]) &* c0 &+ Int32(row1[x]) &* c1
            let lower = Int32(row2[x]) &* c2 &+ Int32(row3[x]) &* c3
            sums[x] &+= upper &+ lower
        }
    }
}
