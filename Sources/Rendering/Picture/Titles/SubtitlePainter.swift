import CompositionModel
import Pixels
import Planning
import Subtitles
import Timing
import Titles

/// Draws the cues of one file.
final class SubtitlePainter {
    private let renderer: SubtitleRenderer
    private let size: PictureSize
    private var last: (moment: SubtitleRenderer.Moment, drawn: DrawnPicture?)?

    init(_ renderer: SubtitleRenderer, size: PictureSize) {
        self.renderer = renderer
        self.size = size
    }

    /// - Parameter time: milliseconds of the file.
    func drawn(at time: Int64, _ convert: (TextPicture) throws -> DrawnPicture) throws -> DrawnPicture? {
        guard let moment = renderer.moment(at: time) else { return nil }
        if let last, last.moment == moment { return last.drawn }
        let drawn = try renderer.draw(at: time) { picture(of: $0) }.map(convert)
        last = (moment, drawn)
        return drawn
    }

    /// All layers in one picture, as large as they need.
    private func picture(of images: [SubtitleImage]) -> TextPicture? {
        let images = images.filter {
            $0.x >= 0 && $0.y >= 0 && $0.x + $0.width <= size.width && $0.y + $0.height <= size.height
        }
        guard let left = images.map(\.x).min(), let top = images.map(\.y).min() else { return nil }
        let width = (images.map { $0.x + $0.width }.max() ?? left) - left
        let height = (images.map { $0.y + $0.height }.max() ?? top) - top
        var canvas = CoverageCanvas(width: width, height: height)
        for image in images {
            canvas.lay(
                image.coverage,
                stride: image.stride,
                width: image.width,
                height: image.height,
                x: image.x - left,
                y: image.y - top,
                color: CoverageColor(red: image.red, green: image.green, blue: image.blue, alpha: image.alpha)
            )
        }
        return TextPicture(x: left, y: top, width: width, height: height, pixels: canvas.pixels())
    }
}
