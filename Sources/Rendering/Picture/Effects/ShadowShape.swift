import CompositionModel
import Media
import Pixels

/// The blurred outline of a layer, with room around it for the blur. A soft shadow has fewer pixels than its layer: a
/// Gaussian that is wide in pixels has no detail.
struct ShadowShape {
    /// Pixels of the layer's picture for each of the shadow's: 1, 2, 4 …
    let step: (x: Int, y: Int)
    /// Pixels of the shadow on each side.
    let margin: (x: Int, y: Int)
    /// The standard deviations of the blur in pixels of the shadow.
    private let sigma: (x: Double, y: Double)
    /// The part of the layer's picture that is seen, in its pixels.
    private let seen: PlaneRect

    /// - Parameter radius: standard deviation in pixels of the frame.
    init(of layer: PaintedLayer, radius: Double, grain: (x: Double, y: Double)) {
        let across = Side(sigma: radius * abs(grain.x), count: layer.picture.width)
        let down = Side(sigma: radius * abs(grain.y), count: layer.picture.height)
        step = (across.step, down.step)
        margin = (across.margin, down.margin)
        sigma = (across.sigma, down.sigma)
        let all = PlaneRect(width: layer.picture.width, height: layer.picture.height)
        seen = layer.crop.map { all.intersection($0) } ?? all
    }

    /// The layer's picture ← the shadow's, in their pixels.
    var projection: Projection {
        .scale(x: Double(step.x), y: Double(step.y)) * .translation(x: -Double(margin.x), y: -Double(margin.y))
    }

    /// All that it depends on beside the picture.
    var numbers: [Double] {
        [sigma.x, sigma.y, Double(step.x), Double(step.y), seen.left, seen.top, seen.right, seen.bottom]
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
        let width = Side.length(source.width, step: step.x) + 2 * margin.x
        let height = Side.length(source.height, step: step.y) + 2 * margin.y
        let target = try MutablePicture(width: width, height: height, pixelFormat: format, color: color)
        for index in 0..<3 {
            target.withMutablePlane(index) { $0.plane.fill(tone.value(ofPlane: index)) }
        }
        let outline = PlaneBuffer(width: width, height: height)
        outline.mutablePlane.fill(0)
        if !seen.isEmpty { layAlpha(of: source, into: outline.mutablePlane) }
        target.withMutablePlane(3) { $0.plane.blur(outline.plane, sigmaX: sigma.x, sigmaY: sigma.y) }
        return try target.freeze()
    }

    /// Samples that a border crosses get their part.
    private func layAlpha(of source: Picture, into target: MutablePlane) {
        let way =
            Projection.translation(x: Double(margin.x), y: Double(margin.y))
            * .scale(x: 1 / Double(step.x), y: 1 / Double(step.y))
        guard source.planeCount > 3 else {
            let (width, height) = (Double(source.width), Double(source.height))
            let opaque = PlaneBuffer(width: 1, height: 1)
            opaque.mutablePlane.fill(255)
            let part = PlaneRect(
                left: seen.left / width,
                top: seen.top / height,
                right: seen.right / width,
                bottom: seen.bottom / height
            )
            return target.lay(opaque.plane, projection: way * .scale(x: width, y: height), crop: part)
        }
        source.withPlane(3) { target.lay($0.plane, projection: way, crop: seen) }
    }
}

/// How a shadow is made along one axis.
private struct Side {
    /// Pixels of a wider Gaussian are halved until it is as narrow as this.
    private static let widest = 16.0

    private(set) var step = 1
    /// In the shadow's pixels.
    private(set) var sigma: Double

    /// - Parameters:
    ///   - sigma: in the picture's pixels.
    ///   - count: of the picture's pixels.
    init(sigma: Double, count: Int) {
        self.sigma = min(sigma, 65536)
        while self.sigma > Side.widest || Side.length(count, step: step) + 2 * margin > MediaLimits.dimension {
            step *= 2
            self.sigma /= 2
        }
    }

    /// Even, so that chroma falls on chroma; beyond 3 σ nothing is seen.
    var margin: Int { Int((3 * sigma).rounded(.up)) / 2 * 2 + 2 }

    static func length(_ count: Int, step: Int) -> Int { (count + step - 1) / step }
}
