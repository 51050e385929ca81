/// Darkens towards the corners.
package struct Vignette: Sendable, Hashable {
    /// 0 … 1: how dark it gets.
    package let amount: Float
    /// The distance from the centre where it begins, in halves of the picture's diagonal.
    package let radius: Float
    /// The distance from there to its darkest, in halves of the picture's diagonal.
    package let softness: Float

    package init(amount: Float, radius: Float, softness: Float) {
        (self.amount, self.radius) = (max(0, min(1, amount)), max(0, radius))
        self.softness = max(0.01, softness)
    }

    /// What is left of the light at a distance from the centre: a cubic from 1 down.
    @inline(__always)
    func light(_ distance: Float) -> Float {
        let ratio = (distance - radius) / softness
        let above: Float = ratio > 0 ? ratio : 0
        let t: Float = above < 1 ? above : 1
        return 1 - amount * (t * t * (3 - 2 * t))
    }
}

extension FramePlanes {
    /// Brings every sample nearer to black, or to grey where it is chroma.
    package func darken(_ vignette: Vignette, matrix: ColorMatrix) {
        let (width, height) = (Float(planes[0].width), Float(planes[0].height))
        let half = (width * width + height * height).squareRoot() / 2
        for index in 0..<3 {
            let plane = planes[index]
            let (stepX, stepY) = index == 0 ? (1, 1) : (1 << shift.x, 1 << shift.y)
            let zero: Float = index == 0 ? matrix.black : 128
            for y in 0..<plane.height {
                let row = plane.row(y)
                let dy = (Float(y * stepY) + Float(stepY) / 2 - height / 2) / half
                for x in 0..<plane.width {
                    let dx = (Float(Int32(truncatingIfNeeded: x &* stepX)) + 0.5 - width / 2) / half
                    let light = vignette.light((dx * dx + dy * dy).squareRoot())
                    row[x] = byte(zero + (Float(row[x]) - zero) * light)
                }
            }
        }
    }

    /// Shows the mean of each block of `sizeX` × `sizeY` pixels, counted from the top left corner.
    /// - Precondition: both are at least 1.
    package func pixelate(sizeX: Int, sizeY: Int) {
        for index in 0..<3 {
            let own = index == 0 ? (0, 0) : shift
            planes[index].pixelate(sizeX: sizeX, sizeY: sizeY, shiftX: own.0, shiftY: own.1)
        }
    }
}

extension MutablePlane {
    /// Blocks of `sizeX` × `sizeY` pixels; a sample belongs to the block of its first pixel.
    /// - Parameter shiftX: powers of two by which this plane is narrower than the picture.
    /// - Precondition: both sizes are at least 1.
    package func pixelate(sizeX: Int, sizeY: Int, shiftX: Int, shiftY: Int) {
        precondition(sizeX >= 1 && sizeY >= 1)
        let columns = borders(sizeX, shift: shiftX, count: width)
        let rows = borders(sizeY, shift: shiftY, count: height)
        let sums = RowBuffer<UInt32>(count: width, repeating: 0)
        for (top, bottom) in zip(rows, rows.dropFirst()) where top < bottom {
            sums.base.update(repeating: 0, count: width)
            for y in top..<bottom {
                let row = row(y)
                for x in 0..<width { sums.base[x] &+= UInt32(row[x]) }
            }
            for (left, right) in zip(columns, columns.dropFirst()) where left < right {
                var sum = 0
                for x in left..<right { sum += Int(sums.base[x]) }
                let count = (right - left) * (bottom - top)
                let mean = UInt8((2 * sum + count) / (2 * count))
                for y in top..<bottom { (row(y) + left).update(repeating: mean, count: right - left) }
            }
        }
    }

    private func borders(_ size: Int, shift: Int, count: Int) -> [Int] {
        let step = 1 << shift
        return Swift.stride(from: 0, to: count << shift, by: size).map { min(count, ($0 + step - 1) >> shift) } + [
            count
        ]
    }
}
