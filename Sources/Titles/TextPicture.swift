/// Drawn text: pixels with premultiplied alpha, and where they belong.
package struct TextPicture: Sendable, Hashable {
    /// The left edge in the rendered frame; it may lie outside of it.
    package let x: Int
    /// The top edge in the rendered frame; it may lie outside of it.
    package let y: Int
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// Red, green, blue, alpha of each pixel, row by row; colours are multiplied by alpha.
    package let pixels: [UInt8]

    package init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt8]) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
