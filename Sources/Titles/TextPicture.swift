/// Drawn text: pixels with premultiplied alpha, and where they belong.
public struct TextPicture: Sendable, Hashable {
    /// The left edge in the rendered frame; it may lie outside of it.
    public let x: Int
    /// The top edge in the rendered frame; it may lie outside of it.
    public let y: Int
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// Red, green, blue, alpha of each pixel, row by row; colours are multiplied by alpha.
    public let pixels: [UInt8]

    public init(x: Int, y: Int, width: Int, height: Int, pixels: [UInt8]) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
