/// An affine map of R′G′B′: each channel becomes a weighted sum of all three and a constant.
package struct ColorTransform: Sendable, Hashable {
    /// The row of red: the weights of red, green and blue, then the constant in x, y, z, w. Black is 0, white 1.
    package var red: SIMD4<Float>
    /// The row of green.
    package var green: SIMD4<Float>
    /// The row of blue.
    package var blue: SIMD4<Float>

    package init(red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Changes nothing.
    package static let identity = gain(red: 1, green: 1, blue: 1)

    /// Each channel times a factor.
    package static func gain(red: Float, green: Float, blue: Float) -> ColorTransform {
        ColorTransform(red: [red, 0, 0, 0], green: [0, green, 0, 0], blue: [0, 0, blue, 0])
    }

    /// Away from middle grey by `factor`; 0 makes all of it grey.
    package static func contrast(_ factor: Float) -> ColorTransform {
        let shift = (1 - factor) / 2
        return ColorTransform(red: [factor, 0, 0, shift], green: [0, factor, 0, shift], blue: [0, 0, factor, shift])
    }

    /// Lighter by `value`.
    package static func brightness(_ value: Float) -> ColorTransform {
        ColorTransform(red: [1, 0, 0, value], green: [0, 1, 0, value], blue: [0, 0, 1, value])
    }

    /// Away from the grey of the same luma by `factor`; 0 is black and white.
    package static func saturation(_ factor: Float, matrix: ColorMatrix) -> ColorTransform {
        let grey = SIMD4(matrix.red, matrix.green, matrix.blue, 0) * (1 - factor)
        return ColorTransform(
            red: grey + [factor, 0, 0, 0],
            green: grey + [0, factor, 0, 0],
            blue: grey + [0, 0, factor, 0]
        )
    }

    /// The brown of old prints, by the numbers of W3C's Filter Effects Module 1 §9.4; 1 is all of it.
    package static func sepia(_ amount: Float) -> ColorTransform {
        let full = ColorTransform(
            red: [0.393, 0.769, 0.189, 0],
            green: [0.349, 0.686, 0.168, 0],
            blue: [0.272, 0.534, 0.131, 0]
        )
        return identity.mixed(with: full, amount)
    }

    /// (1 − `amount`) × this + `amount` × `other`.
    package func mixed(with other: ColorTransform, _ amount: Float) -> ColorTransform {
        ColorTransform(
            red: red * (1 - amount) + other.red * amount,
            green: green * (1 - amount) + other.green * amount,
            blue: blue * (1 - amount) + other.blue * amount
        )
    }

    /// First this, then `next`, without clipping between.
    package func then(_ next: ColorTransform) -> ColorTransform {
        func row(_ weights: SIMD4<Float>) -> SIMD4<Float> {
            let sum = red * weights.x + green * weights.y + blue * weights.z
            return sum + [0, 0, 0, weights.w]
        }
        return ColorTransform(red: row(next.red), green: row(next.green), blue: row(next.blue))
    }

    /// Replaces rows of red, green and blue, `stride` values apart.
    func apply(_ colors: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
        let (greens, blues) = (stride, 2 &* stride)
        for index in 0..<count {
            let (r, g, b) = (colors[index], colors[greens &+ index], colors[blues &+ index])
            colors[index] = red.x * r + red.y * g + red.z * b + red.w
            colors[greens &+ index] = green.x * r + green.y * g + green.z * b + green.w
            colors[blues &+ index] = blue.x * r + blue.y * g + blue.z * b + blue.w
        }
    }
}
