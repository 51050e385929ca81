/// The horizontal half of a resampling: from 64ths of code values to bytes, or to 64ths again.
struct RowFilter {
    private let filter: AxisFilter

    init(_ filter: AxisFilter) { self.filter = filter }

    /// Outputs are the samples themselves, in their order.
    var isCopy: Bool { filter.tapCount == 1 && filter.steady == 0..<filter.outputs.count }

    /// Rounded to the nearest and clipped.
    /// - Parameters:
    ///   - middle: sample `filter.sources.lowerBound` first.
    ///   - output: the place of the first output.
    func apply(_ middle: UnsafePointer<Int16>, into output: UnsafeMutablePointer<UInt8>) {
        run(
            middle,
            into: output,
            finish: { sum in UInt8(truncatingIfNeeded: max(0, min(255, (sum &+ (1 << 19)) &>> 20))) },
            finishFour: { sums in
                let whole = SIMD4<Int16>(truncatingIfNeeded: (sums &+ (1 << 19)) &>> 20)
                return SIMD4<UInt8>(truncatingIfNeeded: pointwiseMax(pointwiseMin(whole, SIMD4(repeating: 255)), .zero))
            }
        )
    }

    /// Filters a row into 64ths of a sample's step, which keep what overshoots 0 … 255.
    func apply(_ middle: UnsafePointer<Int16>, into output: UnsafeMutablePointer<Int16>) {
        run(
            middle,
            into: output,
            finish: { sum in Int16(truncatingIfNeeded: (sum &+ (1 << 13)) &>> 14) },
            finishFour: { sums in SIMD4<Int16>(truncatingIfNeeded: (sums &+ (1 << 13)) &>> 14) }
        )
    }

    /// - Parameters:
    ///   - finish: makes an output of a sum in 2^20ths.
    ///   - finishFour: makes four.
    @inline(__always)
    private func run<Output: SIMDScalar & BitwiseCopyable>(
        _ middle: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output,
        finishFour: (SIMD4<Int32>) -> SIMD4<Output>
    ) {
        let all = 0..<filter.outputs.count
        let steady = filter.steady
        switch filter.tapCount {
        case 1: pick(middle, into: output, finish: finish)
        case 4 where !steady.isEmpty:
            filterFew(middle, 0..<steady.lowerBound, into: output, finish: finish)
            slide(middle, into: output, finish: finish)
            filterFew(middle, steady.upperBound..<all.upperBound, into: output, finish: finish)
        case 4:
            let whole = all.upperBound & ~3
            filterFours(middle, whole, into: output, finish: finishFour)
            filterFew(middle, whole..<all.upperBound, into: output, finish: finish)
        case let taps where taps % 8 == 0: filterMany(middle, all, into: output, finish: finish)
        default: filterFew(middle, all, into: output, finish: finish)
        }
    }

    @inline(__always)
    private func pick<Output>(
        _ middle: UnsafePointer<Int16>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let count = filter.outputs.count
        if isCopy {
            for index in 0..<count { output[index] = finish(Int32(middle[index]) &<< 14) }
            return
        }
        let first = filter.sources.lowerBound
        for index in 0..<count {
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

    /// Four outputs of four taps at once.
    /// - Parameter count: a multiple of 4.
    @inline(__always)
    private func filterFours<Output: SIMDScalar & BitwiseCopyable>(
        _ middle: UnsafePointer<Int16>,
        _ count: Int,
        into output: UnsafeMutablePointer<Output>,
        finish: (SIMD4<Int32>) -> SIMD4<Output>
    ) {
        let starts = filter.starts.base
        let coefficients = UnsafeRawPointer(filter.coefficients.base)
        let origin = UnsafeRawPointer(middle - filter.sources.lowerBound)
        let target = UnsafeMutableRawPointer(output)
        for index in Swift.stride(from: 0, to: count, by: 4) {
            let four = SIMD4(
                (origin + 2 &* Int(starts[index])).loadUnaligned(as: UInt64.self),
                (origin + 2 &* Int(starts[index &+ 1])).loadUnaligned(as: UInt64.self),
                (origin + 2 &* Int(starts[index &+ 2])).loadUnaligned(as: UInt64.self),
                (origin + 2 &* Int(starts[index &+ 3])).loadUnaligned(as: UInt64.self)
            )
            let own = coefficients + 8 &* index
            let first = pairSums(
                unsafeBitCast(four.lowHalf, to: SIMD8<Int16>.self),
                own.loadUnaligned(as: SIMD8<Int16>.self)
            )
            let second = pairSums(
                unsafeBitCast(four.highHalf, to: SIMD8<Int16>.self),
                (own + 16).loadUnaligned(as: SIMD8<Int16>.self)
            )
            let sums = SIMD8(lowHalf: first, highHalf: second)
            let results = finish(sums.evenHalf &+ sums.oddHalf)
            (target + index &* MemoryLayout<Output>.stride).storeBytes(of: results, as: SIMD4<Output>.self)
        }
    }

    /// Any number of taps.
    @inline(__always)
    private func filterFew<Output>(
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

    /// A multiple of eight taps.
    @inline(__always)
    private func filterMany<Output>(
        _ middle: UnsafePointer<Int16>,
        _ outputs: Range<Int>,
        into output: UnsafeMutablePointer<Output>,
        finish: (Int32) -> Output
    ) {
        let byteCount = 2 &* filter.tapCount
        let coefficients = UnsafeRawPointer(filter.coefficients.base)
        let origin = UnsafeRawPointer(middle - filter.sources.lowerBound)
        for index in outputs {
            let samples = origin + 2 &* Int(filter.starts.base[index])
            let own = coefficients + index &* byteCount
            var sums = SIMD4<Int32>.zero
            for offset in Swift.stride(from: 0, to: byteCount, by: 16) {
                sums &+= pairSums(
                    (samples + offset).loadUnaligned(as: SIMD8<Int16>.self),
                    (own + offset).loadUnaligned(as: SIMD8<Int16>.self)
                )
            }
            output[index] = finish(sums.wrappedSum())
        }
    }
}

/// The sums of neighbouring products: one instruction on most processors.
@inline(__always)
private func pairSums(_ left: SIMD8<Int16>, _ right: SIMD8<Int16>) -> SIMD4<Int32> {
    let even = SIMD4<Int32>(truncatingIfNeeded: left.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: right.evenHalf)
    let odd = SIMD4<Int32>(truncatingIfNeeded: left.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: right.oddHalf)
    return even &+ odd
}
