import Media
import Pixels
import Shared

/// The blurred outline of a layer, with room around it for the blur.
struct ShadowShape {
    /// Pixels on each side.
    let margin: (x: Int, y: Int)
    private let sigma: (x: Double, y: Double)
    /// Of the layer's picture.
    private let seen: SampleArea

    /// - Parameter radius: standard deviation in pixels of the frame.
    init(of layer: PaintedLayer, radius: Double, grain: (x: Double, y: Double)) {
        sigma = (radius * abs(grain.x), radius * abs(grain.y))
        margin = (ShadowShape.margin(sigma.x), ShadowShape.margin(sigma.y))
        let all = PlaneRect(width: layer.picture.width, height: layer.picture.height)
        let box = layer.crop.map { all.intersection($0) } ?? all
        seen =
            box.isEmpty
            ? SampleArea(columns: 0..<0, rows: 0..<0)
            : SampleArea(
                columns: Int(box.left.rounded())..<Int(box.right.rounded()),
                rows: Int(box.top.rounded())..<Int(box.bottom.rounded())
            )
    }

    /// Even, so that chroma falls on chroma.
    private static func margin(_ sigma: Double) -> Int { Int(min(3 * sigma, 2000).rounded(.up)) / 2 * 2 + 2 }

    /// All that it depends on beside the picture.
    var numbers: [Double] {
        [
            sigma.x, sigma.y, Double(seen.columns.lowerBound), Double(seen.columns.upperBound),
            Double(seen.rows.lowerBound), Double(seen.rows.upperBound),
        ]
    }

    /// A picture of one colour whose alpha is that of `source`, blurred.
    func picture(
        of source: Picture,
        color text: String,
        in color: ColorDescription
    ) throws(MediaError) -> Picture {
        guard let format = PixelFormat(name: "yuva420p"), let tone = try? BackgroundColor(text, in: color) else {
            throw .unsupported("A shadow in \(text) is not possible.")
        }
        let (width, height) = (source.width + 2 * margin.x, source.height + 2 * margin.y)
        let target = try MutablePicture(width: width, height: height, pixelFormat: format, color: color)
        for index in 0..<3 {
            target.withMutablePlane(index) { $0.plane.fill(tone.value(ofPlane: index)) }
        }
        let outline = PlaneBuffer(width: width, height: height)
        outline.mutablePlane.fill(0)
        if !seen.isEmpty { copyAlpha(of: source, into: outline.mutablePlane) }
        target.withMutablePlane(3) { $0.plane.blur(outline.plane, sigmaX: sigma.x, sigmaY: sigma.y) }
        return try target.freeze()
    }

    private func copyAlpha(of source: Picture, into target: MutablePlane) {
        let (x, y) = (seen.columns.lowerBound, seen.rows.lowerBound)
        let place = target.part(
            x: x + margin.x,
            y: y + margin.y,
            width: seen.columns.count,
            height: seen.rows.count
        )
        guard source.planeCount > 3 else { return place.fill(255) }
        source.withPlane(3) { view in
            place.copy(view.plane.part(x: x, y: y, width: seen.columns.count, height: seen.rows.count))
        }
    }
}
