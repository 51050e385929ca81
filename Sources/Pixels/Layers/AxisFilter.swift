/// Bicubic resampling along one axis: for each output sample where its filter starts and the filter's coefficients.
///
/// The kernel is Catmull and Rom's cubic (Keys 1981, a = −½), which passes through the samples. When the picture
/// shrinks it is widened by as much, so that what the output cannot hold is filtered away. Positions are not cut to
/// phases: each output has a filter of its own. Beyond the edge the outermost sample goes on.
final class AxisFilter {
    /// The sum of one output's coefficients.
    static let unit = 1 << 14

    let outputs: Range<Int>
    let tapCount: Int
    /// All samples that are read.
    let sources: Range<Int>
    /// The first sample that each output of ``outputs`` is made of, counted from the plane's first sample.
    let starts: RowBuffer<Int32>
    /// Tap after tap of one output, then the next output's.
    let coefficients: RowBuffer<Int16>
    /// The outputs, counted from the first, whose filters are equal and step by one sample from each to the next.
    let steady: Range<Int>

    /// - Parameters:
    ///   - outputs: the target's samples that are made.
    ///   - scale: target samples for each source sample; negative when mirrored.
    ///   - offset: where the source's edge lands: target = scale × source + offset.
    ///   - domain: the source samples that may be read.
    ///
    /// A filter is widened to 4096 samples and to four times the domain, and no more: a picture that is shrunk further
    /// is hardly seen in any sample.
    /// - Precondition: `domain` is not empty, `scale` is not 0, both numbers are finite.
    init(outputs: Range<Int>, scale: Double, offset: Double, domain: Range<Int>) {
        precondition(!domain.isEmpty && scale != 0 && scale.isFinite && offset.isFinite)
        self.outputs = outputs
        let widening = max(1, min(1 / abs(scale), 4 * Double(max(domain.count, 1024))))
        let places = AxisFilter.places(outputs, scale: scale, offset: offset, domain: domain, reach: 2 * widening)
        // More than four are filled up with zeros to a multiple of eight, as the kernels like it, if there is room.
        let taps = (4 * widening).rounded(.up)
        let fullTaps = Int(min(taps > 4 ? (taps / 8).rounded(.up) * 8 : taps, Double(domain.count)))
        let isTrivial = places.allSatisfy { $0 == $0.rounded(.down) } && widening == 1
        let tapCount = isTrivial ? 1 : fullTaps
        let starts = RowBuffer<Int32>(count: outputs.count, repeating: 0)
        let coefficients = RowBuffer<Int16>(count: outputs.count * tapCount, repeating: 0)
        let maker = CoefficientMaker(domain: domain, widening: widening, tapCount: tapCount)
        for (index, place) in places.enumerated() {
            starts.base[index] = maker.fill(coefficients.base + index * tapCount, at: place)
        }
        let first = (0..<outputs.count).map { Int(starts.base[$0]) }
        sources = (first.min() ?? domain.lowerBound)..<(first.max() ?? domain.lowerBound) + tapCount
        (self.tapCount, self.starts, self.coefficients) = (tapCount, starts, coefficients)
        steady = AxisFilter.steadyRange(places, starts, tapCount: tapCount, domain: domain, scale: scale)
    }

    /// A Gaussian that keeps the number of samples; cut where it is below 1/1000 of its height.
    /// - Parameter sigma: its standard deviation in samples; below 0.1 samples stay as they are.
    init(gaussian sigma: Double, count: Int) {
        outputs = 0..<count
        sources = 0..<count
        let radius = sigma < 0.1 ? 0 : max(1, Int((3.72 * sigma).rounded(.up)))
        let whole = radius == 0 ? 1 : (2 * radius + 8) / 8 * 8
        tapCount = min(whole, count)
        starts = RowBuffer(count: count, repeating: 0)
        coefficients = RowBuffer(count: count * tapCount, repeating: 0)
        steady = radius == 0 ? 0..<count : 0..<0
        let kernel = AxisFilter.gaussian(sigma, radius: radius)
        for output in 0..<count {
            let start = max(0, min(output - radius, count - tapCount))
            starts.base[output] = Int32(start)
            for (tap, coefficient) in kernel.enumerated() {
                let sample = max(0, min(count - 1, output - radius + tap))
                coefficients.base[output * tapCount + sample - start] += coefficient
            }
        }
    }

    /// Coefficients from −`radius` to `radius`, which add to the unit.
    private static func gaussian(_ sigma: Double, radius: Int) -> [Int16] {
        guard radius > 0 else { return [Int16(unit)] }
        // e^(−k²/2σ²) by products: the ratio of neighbours falls by a constant factor.
        let step = exponential(-1 / (2 * sigma * sigma))
        var (weights, ratio) = ([1.0], step)
        for _ in 0..<radius {
            weights.append((weights.last ?? 0) * ratio)
            ratio *= step * step
        }
        let total = 2 * weights.reduce(0, +) - 1
        // From the outside in, each as much as the rounded sum grows, so that all add to the unit.
        var (sum, given, side) = (0.0, 0, [Int16]())
        for weight in weights.dropFirst().reversed() {
            sum += weight
            let reached = Int((sum / total * Double(unit)).rounded())
            side.append(Int16(reached - given))
            given = reached
        }
        return side + [Int16(unit - 2 * given)] + side.reversed()
    }

    /// e^x for −60 ≤ x ≤ 0 by its series, after halving x six times.
    private static func exponential(_ x: Double) -> Double {
        var sum = 1.0
        var k = 18.0
        while k > 0 {
            sum = 1 + x / 64 / k * sum
            k -= 1
        }
        for _ in 0..<6 { sum *= sum }
        return sum
    }

    /// The place of each output's centre in source samples counted by their centres; no further outside than `reach`.
    private static func places(
        _ outputs: Range<Int>,
        scale: Double,
        offset: Double,
        domain: Range<Int>,
        reach: Double
    ) -> [Double] {
        let limits = (Double(domain.lowerBound) - reach - 1, Double(domain.upperBound) + reach)
        // At scale 1 every output has one fraction; computed once, it has no rounding of its own in each.
        let shift = (0.5 - offset) - 0.5
        return outputs.map { output in
            let place =
                scale == 1 ? Double(output) + shift : (Double(output) + 0.5 - offset) / scale - 0.5
            return min(max(place, limits.0), limits.1)
        }
    }

    private static func steadyRange(
        _ places: [Double],
        _ starts: RowBuffer<Int32>,
        tapCount: Int,
        domain: Range<Int>,
        scale: Double
    ) -> Range<Int> {
        guard scale == 1, tapCount == 4 || tapCount == 1 else { return 0..<0 }
        // Filters that meet no edge: the one at place p starts at ⌊p⌋ − 1.
        let before = tapCount == 4 ? 1 : 0
        let inside = places.indices.filter { index in
            let start = Int(places[index].rounded(.down)) - before
            return start >= domain.lowerBound && start + tapCount <= domain.upperBound
        }
        guard let first = inside.first, let last = inside.last else { return 0..<0 }
        return first..<last + 1
    }
}

/// Samples the kernel and rounds it to whole coefficients.
private struct CoefficientMaker {
    let domain: Range<Int>
    let widening: Double
    let tapCount: Int

    /// - Returns: the first sample that the filter at `place` reads.
    func fill(_ coefficients: UnsafeMutablePointer<Int16>, at place: Double) -> Int32 {
        if tapCount == 1 {
            coefficients[0] = Int16(AxisFilter.unit)
            return Int32(clamped(Int(place.rounded())))
        }
        let low = Int((place - 2 * widening).rounded(.down)) + 1
        let high = Int((place + 2 * widening).rounded(.up)) - 1
        let start = max(domain.lowerBound, min(low, domain.upperBound - tapCount))
        let total = sum(from: low, through: high, at: place)
        // Each coefficient is what the rounded sum has grown by, so that all of them add to the unit.
        var (running, given) = (0.0, 0)
        for sample in low...max(low, high) {
            running += kernel((Double(sample) - place) / widening)
            let reached = Int((running / total * Double(AxisFilter.unit)).rounded())
            coefficients[clamped(sample) - start] += Int16(reached - given)
            given = reached
        }
        return Int32(start)
    }

    private func sum(from low: Int, through high: Int, at place: Double) -> Double {
        var total = 0.0
        for sample in low...max(low, high) { total += kernel((Double(sample) - place) / widening) }
        return total
    }

    private func clamped(_ sample: Int) -> Int { max(domain.lowerBound, min(sample, domain.upperBound - 1)) }

    private func kernel(_ distance: Double) -> Double {
        let t = abs(distance)
        if t < 1 { return (1.5 * t - 2.5) * t * t + 1 }
        if t < 2 { return ((2.5 - 0.5 * t) * t - 4) * t + 2 }
        return 0
    }
}
