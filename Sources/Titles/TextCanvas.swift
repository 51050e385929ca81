import CPango

/// A transparent picture that Cairo draws on.
final class TextCanvas {
    let width: Int
    let height: Int
    let surface: OpaquePointer
    let context: OpaquePointer

    /// - Throws: ``TitleError/tooLarge(_:)`` when memory is short.
    init(width: Int, height: Int) throws(TitleError) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)),
            cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface)
        else { throw .tooLarge("There is no memory for a text of \(width) × \(height) pixels.") }
        self.width = width
        self.height = height
        self.surface = surface
        self.context = context
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Pixels of one picture of text or of a shape.
    static let mostPixels = 1 << 27
    static let longestSide = 1 << 20

    /// Whether a canvas of this size, in pixels, may be made.
    static func allows(width: Double, height: Double) -> Bool {
        max(width, height) <= Double(longestSide) && width * height <= Double(mostPixels)
    }

    /// Copies what was drawn of `part` into `pixels` of `whole`.
    func copy(_ part: TextTile, from origin: (x: Int, y: Int), into pixels: inout [UInt8], of whole: TextTile) {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = cairo_image_surface_get_data(surface)!
        pixels.withUnsafeMutableBufferPointer { target in
            for y in part.y..<part.y + part.height {
                let from = data + (y - origin.y) * stride + 4 * (part.x - origin.x)
                let start = 4 * ((y - whole.y) * whole.width + part.x - whole.x)
                for column in 0..<part.width {
                    // Native 32-bit words, alpha in the upper byte: blue first on little-endian machines.
                    let to = start + 4 * column
                    target[to] = from[4 * column + 2]
                    target[to + 1] = from[4 * column + 1]
                    target[to + 2] = from[4 * column]
                    target[to + 3] = from[4 * column + 3]
                }
            }
        }
    }

    /// What was drawn, with its left and top edge in the frame.
    func picture(x: Int, y: Int) -> TextPicture {
        cairo_surface_flush(surface)
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = cairo_image_surface_get_data(surface)!
        let pixels = [UInt8](unsafeUninitializedCapacity: 4 * width * height) { target, count in
            for row in 0..<height {
                for column in 0..<width {
                    // Native 32-bit words, alpha in the upper byte: blue first on little-endian machines.
                    let (from, to) = (data + row * stride + 4 * column, 4 * (row * width + column))
                    target[to] = from[2]
                    target[to + 1] = from[1]
                    target[to + 2] = from[0]
                    target[to + 3] = from[3]
                }
            }
            count = 4 * width * height
        }
        return TextPicture(x: x, y: y, width: width, height: height, pixels: pixels)
    }

    /// Blurs the alpha of what was drawn by three boxes each way, which together are near a Gaussian of standard
    /// deviations `x` and `y` in pixels. Colours are left as they are.
    func blurAlpha(x: Double, y: Double) {
        cairo_surface_flush(surface)
        defer { cairo_surface_mark_dirty(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = cairo_image_surface_get_data(surface)! + 3
        for radius in TextCanvas.radii(x) {
            for row in 0..<height { blur(data + row * stride, count: width, step: 4, radius: radius) }
        }
        for radius in TextCanvas.radii(y) {
            for column in 0..<width { blur(data + 4 * column, count: height, step: stride, radius: radius) }
        }
    }

    /// Half widths of three boxes whose variances sum to about `deviation` squared: a box of 2r + 1 has r(r + 1)/3.
    private static func radii(_ deviation: Double) -> [Int] {
        let wanted = deviation * deviation
        var radius = 0
        while Double((radius + 1) * (radius + 2)) <= wanted { radius += 1 }
        var radii = [radius, radius, radius]
        var index = 0
        while index < 3, TextCanvas.variance(radii) + Double(2 * (radius + 1)) / 6 <= wanted {
            radii[index] += 1
            index += 1
        }
        return radii.filter { $0 > 0 }
    }

    private static func variance(_ radii: [Int]) -> Double {
        radii.map { Double($0 * ($0 + 1)) / 3 }.reduce(0, +)
    }

    private func blur(_ first: UnsafeMutablePointer<UInt8>, count: Int, step: Int, radius: Int) {
        let width = 2 * radius + 1
        let line = (0..<count).map { Int(first[$0 * step]) }
        var sum = line.prefix(radius).reduce(0, +)
        for place in 0..<count {
            if place + radius < count { sum += line[place + radius] }
            if place - radius - 1 >= 0 { sum -= line[place - radius - 1] }
            first[place * step] = UInt8((sum + width / 2) / width)
        }
    }
}
