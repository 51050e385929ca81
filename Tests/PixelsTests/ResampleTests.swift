import Pixels
import Testing

/// The separable way against the formula in Double.
@Suite struct ResampleTests {
    private static func cubic(_ distance: Double) -> Double {
        let t = abs(distance)
        if t < 1 { return 1.5 * t * t * t - 2.5 * t * t + 1 }
        return t < 2 ? -0.5 * t * t * t + 2.5 * t * t - 4 * t + 2 : 0
    }

    /// Weights of all samples for the target's sample `output`.
    private static func weights(_ output: Int, scale: Double, offset: Double, count: Int) -> [Double] {
        let widening = max(1, 1 / abs(scale))
        let place = (Double(output) + 0.5 - offset) / scale - 0.5
        var sums = Array(repeating: 0.0, count: count)
        for sample in Int(place - 2 * widening) - 3...Int(place + 2 * widening) + 3 {
            sums[max(0, min(count - 1, sample))] += cubic((Double(sample) - place) / widening)
        }
        let total = sums.reduce(0, +)
        return sums.map { $0 / total }
    }

    @Test(arguments: [
        (1.0, 0.3), (1, -0.77), (2, 0), (1.1, 0.4), (0.5, 0), (0.3, 1.3), (0.07, 2), (-1, 40), (-0.6, 33), (5.3, -60),
    ])
    func lumaIsTheFormulaRounded(scale: Double, offset: Double) {
        let picture = PictureStore.noise(40, 30, seed: 4)
        let frame = PictureStore.flat(48, 36, [0, 0, 0])
        let map = Projection(x: (scale, 0, offset), y: (0, abs(scale), 1.5))
        let result = frame.painted(picture, map)
        let plane = picture.planes[0]
        var worst = 0.0
        for y in 0..<36 {
            for x in 0..<48 {
                guard isInside(x, scale, offset, 40), isInside(y, abs(scale), 1.5, 30) else { continue }
                let across = ResampleTests.weights(x, scale: scale, offset: offset, count: 40)
                let down = ResampleTests.weights(y, scale: abs(scale), offset: 1.5, count: 30)
                var sum = 0.0
                for row in 0..<30 where down[row] != 0 {
                    for column in 0..<40 { sum += across[column] * down[row] * Double(plane[column, row]) }
                }
                worst = max(worst, abs(max(0, min(255, sum)) - Double(result.planes[0][x, y])))
            }
        }
        #expect(worst < 0.6)
        #expect(result.hasCleanPadding)
    }

    /// Whether the layer covers the whole sample.
    private func isInside(_ index: Int, _ scale: Double, _ offset: Double, _ count: Int) -> Bool {
        let ends = (offset, scale * Double(count) + offset)
        return Double(index) >= min(ends.0, ends.1) && Double(index + 1) <= max(ends.0, ends.1)
    }

    /// A soft blob's centre of mass follows a slow push.
    @Test(arguments: [false, true]) func aSlowPushIsSubPixelExact(general: Bool) {
        let picture = PictureStore(96, 64) { plane, x, y in
            guard plane == 0 else { return 128 }
            let (dx, dy) = (Double(x) - 40, Double(y) - 30)
            let height = max(0, 1 - (dx * dx + dy * dy) / 64)
            return UInt8((230 * height * height).rounded())
        }
        let frame = PictureStore.flat(120, 80, [0, 128, 128])
        // A turn by an angle that moves nothing makes it the general way.
        let turn = general ? Projection(x: (1, 1e-12, 0), y: (0, 1, 0)) : .identity
        let start = center(frame.painted(picture, turn * .translation(x: 4, y: 4)))
        for step in 0..<24 {
            let way = Double(step) * 0.173
            let now = center(frame.painted(picture, turn * .translation(x: 4 + way, y: 4)))
            #expect(abs(now.0 - start.0 - way) < 0.02, "\(way)")
            #expect(abs(now.1 - start.1) < 0.02)
        }
    }

    private func center(_ picture: PictureStore) -> (Double, Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
        let plane = picture.planes[0]
        for row in 0..<plane.height {
            for column in 0..<plane.width where plane[column, row] > 0 {
                let value = Double(plane[column, row])
                (sum, x, y) = (sum + value, x + value * Double(column), y + value * Double(row))
            }
        }
        return (x / sum, y / sum)
    }

    /// Stripes finer than the target's samples become their mean, not slower stripes.
    @Test(arguments: [false, true]) func shrinkingDoesNotAlias(general: Bool) {
        let picture = PictureStore(240, 240) { plane, x, y in plane == 0 ? ((x + y) % 2 == 0 ? 200 : 56) : 128 }
        let frame = PictureStore.flat(120, 120, [0, 128, 128])
        let angle = general ? Projection.rotation(sin: 0.6, cos: 0.8) : .identity
        let shrunk = Projection.scale(x: 0.31, y: 0.31) * .translation(x: -120, y: -120)
        let map = .translation(x: 60, y: 60) * angle * shrunk
        let result = frame.painted(picture, map, shrinking: general)
        for y in 45..<75 {
            for x in 45..<75 { #expect((126...130).contains(result.planes[0][x, y])) }
        }
    }
}
