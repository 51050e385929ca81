/// Outlines around (0, 0), as the size an outline must have to pass through a point.
enum IrisOutline {
    /// - Parameters:
    ///   - point: in samples from the middle, y down.
    ///   - relative: in halves of the frame's sides.
    static func size(_ shape: IrisShape, _ point: (x: Double, y: Double), relative: (u: Double, v: Double)) -> Double {
        let (x, y) = (abs(point.x), abs(point.y))
        switch shape {
        case .circle: return FieldMath.length(x, y)
        case .ellipse: return FieldMath.length(relative.u, relative.v)
        case .rectangle: return max(abs(relative.u), abs(relative.v))
        case .square: return max(x, y)
        case .diamond: return abs(relative.u) + abs(relative.v)
        case .cross: return min(max(x, 3 * y), max(3 * x, y))
        case .eye: return eye(x, y)
        case .triangle: return size(triangle, point)
        case .pentagon: return size(pentagon, point)
        case .hexagon: return size(hexagon, point)
        case .star: return size(star, point)
        case .heart: return size(heart, point)
        }
    }

    /// Between two arcs of radius 1.25 around (0, ±0.75): twice as wide as high.
    private static func eye(_ x: Double, _ y: Double) -> Double {
        let square = x * x + y * y
        guard square > 0 else { return 0 }
        let root = (0.5625 * y * y + square).squareRoot()
        return square / (root - 0.75 * y)
    }

    /// - Parameter outline: corners in the order of their angles around (0, 0).
    private static func size(_ outline: [(x: Double, y: Double)], _ point: (x: Double, y: Double)) -> Double {
        for index in outline.indices {
            let (a, b) = (outline[index], outline[index + 1 == outline.count ? 0 : index + 1])
            // point = α·a + β·b; it lies between both when neither is negative.
            let area = a.x * b.y - a.y * b.x
            let alpha = (point.x * b.y - point.y * b.x) / area
            let beta = (a.x * point.y - a.y * point.x) / area
            if alpha >= -1e-9, beta >= -1e-9 { return alpha + beta }
        }
        return 0
    }

    private static let triangle = [(x: 0.0, y: -1.0), (0.866, 0.5), (-0.866, 0.5)]
    private static let pentagon = [
        (x: 0.0, y: -1.0), (0.9511, -0.309), (0.5878, 0.809), (-0.5878, 0.809), (-0.9511, -0.309),
    ]
    private static let hexagon = [
        (x: 1.0, y: 0.0), (0.5, 0.866), (-0.5, 0.866), (-1.0, 0.0), (-0.5, -0.866), (0.5, -0.866),
    ]
    private static let star = [
        (x: 0.0, y: -1.0), (0.2245, -0.309), (0.9511, -0.309), (0.3633, 0.118), (0.5878, 0.809), (0.0, 0.382),
        (-0.5878, 0.809), (-0.3633, 0.118), (-0.9511, -0.309), (-0.2245, -0.309),
    ]
    private static let heart = heartHalf + heartHalf.dropFirst().dropLast().reversed().map { (-$0.x, $0.y) }
    /// Half of a heart, from the notch clockwise to the tip: (16 sin³t, −13 cos t + 5 cos 2t + 2 cos 3t + cos 4t) / 17.
    private static let heartHalf: [(x: Double, y: Double)] = [
        (0.0000, -0.2941), (0.0021, -0.3144), (0.0163, -0.3713), (0.0527, -0.4535), (0.1176, -0.5446),
        (0.2123, -0.6265), (0.3328, -0.6827), (0.4700, -0.7013), (0.6113, -0.6765), (0.7422, -0.6093),
        (0.8482, -0.5064), (0.9172, -0.3780), (0.9412, -0.2353), (0.9172, -0.0883), (0.8482, 0.0558),
        (0.7422, 0.1934), (0.6113, 0.3235), (0.4700, 0.4471), (0.3328, 0.5651), (0.2123, 0.6769), (0.1176, 0.7799),
        (0.0527, 0.8694), (0.0163, 0.9396), (0.0021, 0.9845), (0.0000, 1.0000),
    ]
}
