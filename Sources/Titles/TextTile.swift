/// A part of a drawn text, in pixels of the rendered frame.
///
/// Cairo draws pictures of up to 32767 pixels a side; a crawl is longer. So a large text is drawn in tiles, each with a
/// margin from which its neighbours' blur reaches into it.
struct TextTile {
    /// Longest side of what is drawn at once, without its margin. Where a tile begins, letters differ by what nobody
    /// sees: another side makes other bytes, and is another `Renderer.version`.
    static let side = 16_384

    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// - Parameters:
    ///   - tile: the longest side of one drawing.
    ///   - margin: around each, when there are several.
    ///   - draw: draws what is seen of the text on a canvas whose first pixel is that of the given part.
    func drawn(
        tile: Int,
        margin: Int,
        _ draw: (TextCanvas, TextTile) throws(TitleError) -> Void
    ) throws(TitleError) -> TextPicture {
        guard width > tile || height > tile else {
            let canvas = try TextCanvas(width: width, height: height)
            try draw(canvas, self)
            return canvas.picture(x: x, y: y)
        }
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        for top in stride(from: y, to: y + height, by: tile) {
            for left in stride(from: x, to: x + width, by: tile) {
                let part = TextTile(
                    x: left,
                    y: top,
                    width: min(tile, x + width - left),
                    height: min(tile, y + height - top)
                )
                let around = part.grown(by: margin, within: self)
                let canvas = try TextCanvas(width: around.width, height: around.height)
                try draw(canvas, around)
                canvas.copy(part, from: (around.x, around.y), into: &pixels, of: self)
            }
        }
        return TextPicture(x: x, y: y, width: width, height: height, pixels: pixels)
    }

    private func grown(by margin: Int, within whole: TextTile) -> TextTile {
        let (left, top) = (max(whole.x, x - margin), max(whole.y, y - margin))
        let (right, bottom) = (
            min(whole.x + whole.width, x + width + margin), min(whole.y + whole.height, y + height + margin)
        )
        return TextTile(x: left, y: top, width: right - left, height: bottom - top)
    }
}
