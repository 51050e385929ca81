/// Drawn text: pixels with premultiplied alpha, and where they belong.
public struct TextPicture: Sendable, Hashable {
    /// Left and top in the rendered frame; may lie outside of it.
    public let x: Int
    public let y: Int
    public let width: Int
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
