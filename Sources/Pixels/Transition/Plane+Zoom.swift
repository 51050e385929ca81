extension MutablePlane {
    /// Inwards the first grows to four times its size while the second appears; outwards the second shrinks from there.
    func zoom(_ first: Plane, _ second: Plane, isOutward: Bool, _ site: PlaneSite, _ progress: Double) {
        let share = isOutward ? 1 - progress : progress
        let scale = 1 - 0.75 * share * share * (3 - 2 * share)
        enlarge(isOutward ? second : first, scale: scale, site)
        let fade = FieldMath.smoothStep(0.25, 1, share)
        let still = isOutward ? first : second
        let weight = BlendWeight(fade)
        guard !weight.isFirst else { return }
        for y in 0..<height {
            let (target, other) = (row(y), still.row(y))
            for x in 0..<width {
                let sum = UInt32(target[x]) &* (65536 &- weight.value) &+ UInt32(other[x]) &* weight.value
                target[x] = UInt8(truncatingIfNeeded: (sum &+ 32768) &>> 16)
            }
        }
    }

    /// Shows the middle of `source`: `scale` of its width and height, 0 … 1, interpolated linearly.
    private func enlarge(_ source: Plane, scale: Double, _ site: PlaneSite) {
        let columns = LinearTaps(count: width, scale: scale, middle: Double(site.frameWidth - 1) / 2) {
            site.column($0)
        }
        let rows = LinearTaps(count: height, scale: scale, middle: Double(site.frameHeight - 1) / 2) { site.row($0) }
        for y in 0..<height {
            let (top, bottom) = (source.row(rows.first[y]), source.row(rows.second[y]))
            let (down, target) = (rows.weights[y], row(y))
            for x in 0..<width {
                let (a, b, across) = (columns.first[x], columns.second[x], columns.weights[x])
                let upper = UInt32(top[a]) &* (256 &- across) &+ UInt32(top[b]) &* across
                let lower = UInt32(bottom[a]) &* (256 &- across) &+ UInt32(bottom[b]) &* across
                target[x] = UInt8(truncatingIfNeeded: (upper &* (256 &- down) &+ lower &* down &+ 32768) &>> 16)
            }
        }
    }
}

/// The two samples of a line that each target sample is made of.
private struct LinearTaps {
    var first: [Int] = []
    var second: [Int] = []
    /// The weight of the second, in 256ths.
    var weights: [UInt32] = []

    /// - Parameters:
    ///   - middle: the place that stays, in samples of the frame.
    ///   - place: gives the place in the frame of a sample of the plane.
    init(count: Int, scale: Double, middle: Double, place: (Int) -> Double) {
        let step = count > 1 ? place(1) - place(0) : 1
        for index in 0..<count {
            let wanted = (middle + (place(index) - middle) * scale - place(0)) / step
            let inside = min(max(wanted, 0), Double(count - 1))
            let steps = Int((inside * 256).rounded())
            first.append(steps / 256)
            second.append(min(steps / 256 + 1, count - 1))
            weights.append(UInt32(steps % 256))
        }
    }
}
