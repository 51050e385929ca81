import CompositionModel
import Media
import Pixels

/// Draws pictures as layers: moved, turned, seen in perspective, cropped, transparent.
///
/// What can be used again for the next frame is kept: the products of a picture with its alpha, and its smaller copies.
final class LayerPainter {
    /// A picture in the form in which it is drawn.
    private struct Entry {
        let picture: Picture
        let layer: LayerPicture
        var small: (detail: LayerDetail, box: PlaneRect, layer: LayerPicture)?

        var byteCount: Int {
            picture.byteCount + layer.byteCount + (small?.layer.byteCount ?? 0)
        }
    }

    /// Logos and titles that stay for many frames.
    private var entries = FrameCache<Entry>()

    /// Pictures that are kept.
    var keptCount: Int { entries.count }

    /// Forgets what was not drawn since the last call.
    func endFrame() { entries.endFrame() }

    /// Lays `picture` over `target`.
    /// - Parameters:
    ///   - picture: planar Y′CbCr of 8 bits with or without alpha, its matrix and range those of `target`.
    ///   - projection: frame ← picture, in pixels. One that cannot be turned back or is not finite draws nothing.
    ///   - crop: the part of the picture that is seen, in its pixels; nil shows all.
    ///   - blend: in R′G′B′ by the matrix of `target`, except for normal.
    ///   - chromaAlpha: the alpha of chroma's samples, of a picture with alpha; nil is made of that.
    ///   - target: yuv420p. Pixels that the layer does not touch keep their values.
    /// - Throws: ``MediaError/unsupported(_:)`` for another pixel format.
    func paint(
        _ picture: Picture,
        projection: Projection,
        crop: PlaneRect? = nil,
        opacity: BlendWeight,
        blend: BlendFunction = .normal,
        chromaAlpha: PlaneBuffer? = nil,
        over target: MutablePicture
    ) throws(MediaError) {
        guard target.pixelFormat == .yuv420p else {
            throw .unsupported("Nothing can be drawn on \(target.pixelFormat.name).")
        }
        try paint(
            picture,
            projection: projection,
            crop: crop,
            opacity: opacity,
            blend: blend,
            chromaAlpha: chromaAlpha,
            matrix: ColorMatrix(target.color)
        ) { body in target.withFramePlanes(body) }
    }

    /// Lays `layer` and what it throws over what is on `target`.
    func paint(_ layer: PaintedLayer, over target: GroupCanvas) throws(MediaError) {
        for layer in layer.shadows + [layer] {
            try paint(
                layer.picture,
                projection: layer.projection,
                crop: layer.crop,
                opacity: layer.opacity,
                blend: layer.blend,
                chromaAlpha: layer.chromaAlpha,
                matrix: ColorMatrix(target.color)
            ) { body in target.withFramePlanes(body) }
        }
    }

    private func paint(
        _ picture: Picture,
        projection: Projection,
        crop: PlaneRect?,
        opacity: BlendWeight,
        blend: BlendFunction,
        chromaAlpha: PlaneBuffer?,
        matrix: ColorMatrix,
        planes withTarget: ((FramePlanes) -> Void) -> Void
    ) throws(MediaError) {
        guard LayerPainter.formats.contains(picture.pixelFormat.name) else {
            throw .unsupported("A layer in \(picture.pixelFormat.name) cannot be drawn.")
        }
        if opacity.isFirst { return }
        let box = PlaneRect(width: picture.width, height: picture.height)
        let seen = crop.map { box.intersection($0) } ?? box
        picture.withLayerPlanes { planes, alpha in
            let layer = layer(
                picture,
                planes: planes,
                alpha: alpha,
                chroma: chromaAlpha?.plane,
                projection: projection,
                box: seen
            )
            withTarget { frame in
                frame.paint(
                    layer,
                    projection: projection,
                    crop: seen,
                    opacity: opacity,
                    blend: blend,
                    matrix: matrix
                )
            }
        }
    }

    private static let formats: Set<String> = [
        "yuv420p", "yuv422p", "yuv444p", "yuva420p", "yuva422p", "yuva444p",
    ]

    /// Ready to be drawn by `projection`: only the separable way shrinks by itself.
    private func layer(
        _ picture: Picture,
        planes: [Plane],
        alpha: Plane?,
        chroma: Plane?,
        projection: Projection,
        box: PlaneRect
    ) -> LayerPicture {
        let detail = projection.isAxisAligned ? LayerDetail.full : LayerDetail(of: projection, box: box)
        guard alpha != nil || detail != .full, !box.isEmpty else {
            return LayerPicture(planes: planes, alpha: nil, shift: picture.pixelFormat.chromaShift)
        }
        var entry =
            entries.take { $0.picture === picture }
            ?? Entry(
                picture: picture,
                layer: LayerPicture(
                    planes: planes,
                    alpha: alpha,
                    chroma: chroma,
                    shift: picture.pixelFormat.chromaShift
                )
            )
        // The planes of an entry without alpha are those of its picture, which it keeps alive.
        defer { entries.insert(entry, byteCount: entry.byteCount) }
        guard detail != .full else { return entry.layer }
        if let small = entry.small, small.detail == detail, small.box == box { return small.layer }
        let layer = entry.layer.shrunk(to: detail, box: box)
        entry.small = (detail, box, layer)
        return layer
    }
}

extension Picture {
    /// - Parameter body: gets the planes of Y′, Cb, Cr and the alpha, if there is one.
    func withLayerPlanes(_ body: ([Plane], Plane?) -> Void) {
        withPlane(0) { luma in
            withPlane(1) { blue in
                withPlane(2) { red in
                    let planes = [luma.plane, blue.plane, red.plane]
                    if planeCount < 4 { return body(planes, nil) }
                    withPlane(3) { body(planes, $0.plane) }
                }
            }
        }
    }
}

extension MutablePicture {
    /// Calls `body` with Y′, Cb and Cr.
    func withFramePlanes(_ body: (FramePlanes) -> Void) {
        withMutablePlane(0) { luma in
            withMutablePlane(1) { blue in
                withMutablePlane(2) { red in
                    let planes = [luma.plane, blue.plane, red.plane]
                    body(FramePlanes(planes: planes, shift: pixelFormat.chromaShift))
                }
            }
        }
    }
}

extension ColorMatrix {
    /// BT.709's for a matrix without constants.
    init(_ color: ColorDescription) {
        let constants = BackgroundColor.constants[color.matrix] ?? (red: 2126, blue: 722)
        self.init(red: constants.red, blue: constants.blue, isFullRange: color.isFullRange)
    }
}
