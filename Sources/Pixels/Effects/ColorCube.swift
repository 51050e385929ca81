/// A three-dimensional table of colours, read by tetrahedral interpolation.
public struct ColorCube: Sendable, Hashable {
    /// Points along each side.
    public let size: Int
    private let points: [SIMD4<Float>]

    /// - Parameter colors: red, green and blue of each point, 0 … 1; red's index changes first, then green's.
    /// - Precondition: `size` is at least 2 and `colors` has its cube of points.
    public init(size: Int, colors: [SIMD3<Float>]) {
        precondition(size >= 2 && colors.count == size * size * size)
        self.size = size
        points = colors.map { SIMD4($0, 0) }
    }

    /// Replaces rows of red, green and blue, `stride` values apart, clipped to 0 … 1 before.
    func apply(_ colors: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
        let (greens, blues) = (stride, 2 &* stride)
        points.withUnsafeBufferPointer { points in
            guard let base = points.baseAddress else { return }
            for index in 0..<count {
                let color = SIMD4(colors[index], colors[greens &+ index], colors[blues &+ index], 0)
                let result = self.color(color, base)
                colors[index] = result.x
                colors[greens &+ index] = result.y
                colors[blues &+ index] = result.z
            }
        }
    }

    /// The cube around the colour is cut into six tetrahedra along its diagonal from black to white; in the one that
    /// holds the colour, whose fractions fall in the order in which its edges go, the value is linear.
    @inline(__always)
    private func color(_ color: SIMD4<Float>, _ points: UnsafePointer<SIMD4<Float>>) -> SIMD4<Float> {
        let scaled = color.clamped(lowerBound: .zero, upperBound: .one) * Float(size &- 1)
        let last = size &- 2
        let (x, y, z) = (min(Int(scaled.x), last), min(Int(scaled.y), last), min(Int(scaled.z), last))
        let (r, g, b) = (scaled.x - Float(x), scaled.y - Float(y), scaled.z - Float(z))
        let (stepX, stepY, stepZ) = (1, size, size &* size)
        let origin = points + (z &* stepZ &+ y &* stepY &+ x)
        let first = r >= g ? (r >= b ? stepX : stepZ) : (g >= b ? stepY : stepZ)
        let last3 = r < g ? (r < b ? stepX : stepZ) : (g < b ? stepY : stepZ)
        let most = max(r, max(g, b))
        let least = min(r, min(g, b))
        let middle = r + g + b - most - least
        let all = stepX &+ stepY &+ stepZ
        // All three equal: any order is right.
        let second = first == last3 ? first : all &- last3
        let (a, c, d, e) = (origin[0], origin[first], origin[second], origin[all])
        return a + (c - a) * most + (d - c) * middle + (e - d) * least
    }
}
