/// A three-dimensional table of colours, read by tetrahedral interpolation.
package struct ColorCube: Sendable, Hashable {
    /// Points along each side.
    package let size: Int
    private let points: [SIMD4<Float>]

    /// - Parameter colors: red, green and blue of each point, 0 … 1; red's index changes first, then green's.
    /// - Precondition: `size` is at least 2 and `colors` has its cube of points.
    package init(size: Int, colors: [SIMD3<Float>]) {
        precondition(size >= 2 && colors.count == size * size * size)
        self.size = size
        points = colors.map { SIMD4($0, 0) }
    }

    /// Replaces rows of red, green and blue, `stride` values apart, clipped to 0 … 1 before.
    func apply(_ colors: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
        let (greens, blues) = (stride, 2 &* stride)
        points.withUnsafeBufferPointer { points in
            guard let base = points.baseAddress else { return }
            let last = Float(size &- 1)
            for index in 0..<count {
                let red = place(colors[index], last)
                let green = place(colors[greens &+ index], last)
                let blue = place(colors[blues &+ index], last)
                let result = color(red, green, blue, base)
                colors[index] = result.x
                colors[greens &+ index] = result.y
                colors[blues &+ index] = result.z
            }
        }
    }

    /// The point below a channel's value, at most the last but one, and the way to the next.
    @inline(__always)
    private func place(_ value: Float, _ last: Float) -> (point: Int, rest: Float) {
        let scaled = value * last
        let above: Float = scaled > 0 ? scaled : 0
        let inside: Float = above < last ? above : last
        let point = min(Int(truncatingIfNeeded: Int32(inside)), size &- 2)
        return (point, inside - Float(Int32(truncatingIfNeeded: point)))
    }

    /// The cube around the colour is cut into six tetrahedra along its diagonal from black to white; in the one that
    /// holds the colour, whose fractions fall in the order in which its edges go, the value is linear.
    @inline(__always)
    private func color(
        _ red: (point: Int, rest: Float),
        _ green: (point: Int, rest: Float),
        _ blue: (point: Int, rest: Float),
        _ points: UnsafePointer<SIMD4<Float>>
    ) -> SIMD4<Float> {
        let (r, g, b) = (red.rest, green.rest, blue.rest)
        let (stepX, stepY, stepZ) = (1, size, size &* size)
        let origin = points + (blue.point &* stepZ &+ green.point &* stepY &+ red.point)
        let all = stepX &+ stepY &+ stepZ
        // The channels in falling order of their ways. Where two are equal any order is right.
        let isRedFirst = r >= g
        let (high, low) = isRedFirst ? (r, g) : (g, r)
        let (stepHigh, stepLow) = isRedFirst ? (stepX, stepY) : (stepY, stepX)
        let most = b > high ? b : high
        let least = b <= low ? b : low
        let middle = b > high ? high : b <= low ? low : b
        let first = b > high ? stepZ : stepHigh
        let third = b <= low ? stepZ : stepLow
        let (near, far) = (origin[first], origin[all &- third])
        return origin[0] + (near - origin[0]) * most + (far - near) * middle + (origin[all] - far) * least
    }
}
