/// A colour of 8 bits a channel, not multiplied by its alpha.
package struct CoverageColor: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    /// 255 is opaque.
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }
}

/// A transparent picture on which colours are laid one over the other, each as thickly as a mask says.
///
/// Channels are multiplied by alpha and counted in 65535ths, so that many layers round once: c ← c·(1 − a) + C·a, in
/// whole numbers.
package struct CoverageCanvas {
    package let width: Int
    package let height: Int
    /// Red, green, blue, alpha of each pixel, row by row.
    private var channels: [UInt16]

    /// A canvas of `width` × `height` pixels, all of them transparent.
    package init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        channels = [UInt16](repeating: 0, count: 4 * width * height)
    }

    /// - Parameters:
    ///   - coverage: rows of `width` bytes, `stride` apart; 255 is the whole colour.
    ///   - x, y: the mask's left and top.
    /// - Precondition: the mask lies in the picture, and `coverage` holds all its rows; the last one need not be filled
    ///   up to `stride`.
    package mutating func lay(
        _ coverage: UnsafeBufferPointer<UInt8>,
        stride: Int,
        width: Int,
        height: Int,
        x: Int,
        y: Int,
        color: CoverageColor
    ) {
        precondition(x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height)
        guard width > 0, height > 0, let masks = coverage.baseAddress else { return }
        precondition(stride >= width && coverage.count >= (height - 1) * stride + width)
        let weights = (0...255).map { UInt32(($0 * Int(color.alpha) * 65_535 + 32_512) / 65_025) }
        let full = SIMD4<UInt32>(257 * UInt32(color.red), 257 * UInt32(color.green), 257 * UInt32(color.blue), 65_535)
        let pitch = self.width
        channels.withUnsafeMutableBufferPointer { channels in
            weights.withUnsafeBufferPointer { weights in
                for row in 0..<height {
                    let mask = masks + row * stride
                    let target = channels.baseAddress! + 4 * ((y + row) * pitch + x)
                    for column in 0..<width where mask[column] != 0 {
                        let weight = weights[Int(mask[column])]
                        let pixel = target + 4 * column
                        for channel in 0..<4 {
                            // At most 65535² and a half: below 2³².
                            let sum = UInt32(pixel[channel]) * (65_535 - weight) + full[channel] * weight
                            pixel[channel] = UInt16((sum + 32_767) / 65_535)
                        }
                    }
                }
            }
        }
    }

    /// Red, green, blue, alpha of each pixel in bytes; colours are multiplied by alpha.
    package func pixels() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: channels.count) { target, count in
            channels.withUnsafeBufferPointer { channels in
                for index in 0..<channels.count { target[index] = UInt8((UInt32(channels[index]) + 128) / 257) }
            }
            count = channels.count
        }
    }
}
