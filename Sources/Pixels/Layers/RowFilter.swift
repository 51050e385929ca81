/// The horizontal half of a resampling: from 64ths of code values to bytes, or to 64ths again.
struct RowFilter {
    private let filter: AxisFilter

    init(_ filter: AxisFilter) { self.filter = filter }

    /// Outputs are the samples themselves, in their order.
    var isCopy: Bool { filter.tapCount == 1 && filter.steady == 0..<filter.outputs.count }

    /// Rounded to the nearest and clipped.
    /// - Parameters:
    ///   - middle: sample `filter.sources.lowerBound` first.
    ///   - output: of the first output.
    func apply(_ middle: UnsafePointer<Int16>, into output: UnsafeMutablePointer<UInt8>) {
        run(middle, into: output) { sum in
            UInt8(truncatingIfNeeded: max(0, min(255, (sum &+ (1 << 19)) &>> 20)))
        }
    }

    /// The same in 64ths, with what overshoots.
    func apply(_ middle: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>) {
        run(middle, into: output) { sum in Int16(truncatingIfNeeded: (sum &+ (1 << 13)) &>> 14) }
    }

    /// - Parameter finish: makes an output of a sum in 2^20ths.
    @inline(__always)
    private func run<Output>(
        _ middle: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let all = 0..<filter.outputs.count
        let steady = filter.steady
        switch filter.tapCount {
        case 1: pick(middle, into: output, finish: finish)
        case 4 where !steady.isEmpty:
            filter4(middle, 0..<steady.lowerBound, into: output, finish: finish)
            slide(middle, into: output, finish: finish)
            filter4(middle, steady.upperBound..<all.upperBound, into: output, finish: finish)
        case 4: filter4(middle, all, into: output, finish: finish)
        default: filterMany(middle, all, into: output, finish: finish)
        }
    }

    @inline(__always)
    private func pick<Output>(
        _ middle: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let first = filter.sources.lowerBound
        for index in 0..<filter.outputs.count {
            output[index] = finish(Int32(middle[Int(filter.starts.base[index]) &- first]) &<< 14)
        }
    }

    /// One filter for all: vectors of neighbours.
    @inline(__always)
    private func slide<Output>(
        _ middle: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let steady = filter.steady
        let coefficients = filter.coefficients.base + 4 * steady.lowerBound
        let (c0, c1) = (Int32(coefficients[0]), Int32(coefficients[1]))
        let (c2, c3) = (Int32(coefficients[2]), Int32(coefficients[3]))
        let samples = middle + (Int(filter.starts.base[steady.lowerBound]) - filter.sources.lowerBound)
        let target = output + steady.lowerBound
        for x in 0..<steady.count {
            let left = Int32(samples[x]) &* c0 &+ Int32(samples[x &+ 1]) &* c1
            let right = Int32(samples[x &+ 2]) &* c2 &+ Int32(samples[x &+ 3]) &* c3
            target[x] = finish(left &+ right)
        }
    }

    @inline(__always)
    private func filter4<Output>(
        _ middle: UnsafePointer<Int16>,
        _ outputs: Range<Int>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let (starts, coefficients) = (filter.starts.base, filter.coefficients.base)
        let first = filter.sources.lowerBound
        for index in outputs {
            let samples = middle + (Int(starts[index]) &- first)
            let own = coefficients + index &* 4
            let left = Int32(samples[0]) &* Int32(own[0]) &+ Int32(samples[1]) &* Int32(own[1])
            let right = Int32(samples[2]) &* Int32(own[2]) &+ Int32(samples[3]) &* Int32(own[3])
            output[index] = finish(left &+ right)
        }
    }

    @inline(__always)
    private func filterMany<Output>(
        _ middle: UnsafePointer<Int16>,
        _ outputs: Range<Int>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let tapCount = filter.tapCount
        let first = filter.sources.lowerBound
        for index in outputs {
            let samples = middle + (Int(filter.starts.base[index]) &- first)
            let coefficients = filter.coefficients.base + index &* tapCount
            var sum: Int32 = 0
            for tap in 0..<tapCount { sum &+= Int32(samples[tap]) &* Int32(coefficients[tap]) }
            output[index] = finish(sum)
        }
    }
}
