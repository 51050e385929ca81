/// The planes Y′, Cb, Cr of a picture that is drawn as a layer, and its alpha if it has one.
///
/// Chroma is sited as in MPEG-2: on the even columns, halfway between two rows.
package struct LayerPicture {
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int
    /// Powers of two by which chroma is narrower and lower.
    package let shift: (x: Int, y: Int)
    /// Beyond it all is transparent.
    private let visible: PlaneRect
    let planes: [Plane]
    /// The alpha of each plane, of its size; the plane is multiplied by it; empty for an opaque picture.
    let alphas: [Plane]
    /// Smaller planes that were made of a larger picture: columns and rows of it for each sample of theirs.
    private let grain: [(x: Double, y: Double)]
    private let owned: [PlaneBuffer]
    /// Whether it lives on without the planes that it was made of.
    package let isIndependent: Bool

    /// The bytes of planes that it made itself.
    package var byteCount: Int { owned.reduce(0) { $0 + $1.plane.stride * $1.plane.height } }

    /// - Parameters:
    ///   - planes: three; they stay readable while this is in use, unless ``isIndependent``.
    ///   - alpha: the alpha, of luma's size; 255 is opaque.
    ///   - chroma: the alpha of chroma's size; nil makes it of `alpha`.
    /// - Precondition: luma is not empty, chroma has its size shifted and rounded up; shifts are 0 or 1.
    package init(planes: [Plane], alpha: Plane?, chroma: Plane? = nil, shift: (x: Int, y: Int)) {
        precondition(FramePlanes.areAlike(planes, shift) && planes[0].width > 0 && planes[0].height > 0)
        (width, height, self.shift) = (planes[0].width, planes[0].height, shift)
        grain = Array(repeating: (1, 1), count: 3)
        isIndependent = alpha != nil
        guard let alpha else {
            (self.planes, alphas, owned) = (planes, [], [])
            visible = PlaneRect(width: width, height: height)
            return
        }
        let fullAlpha = PlaneBuffer(width: width, height: height)
        fullAlpha.mutablePlane.copy(alpha)
        let chromaAlpha = PlaneBuffer(width: planes[1].width, height: planes[1].height)
        if let chroma {
            chromaAlpha.mutablePlane.copy(chroma)
        } else {
            chromaAlpha.mutablePlane.subsampleAlpha(alpha, shiftX: shift.x, shiftY: shift.y)
        }
        let factors = [fullAlpha, chromaAlpha, chromaAlpha]
        let products = zip(planes, factors).map { plane, factor in
            let product = PlaneBuffer(width: plane.width, height: plane.height)
            product.mutablePlane.multiply(plane, by: factor.plane)
            return product
        }
        self.planes = products.map(\.plane)
        alphas = factors.map(\.plane)
        owned = products + factors
        visible = PlaneRect(alpha.nonzeroArea)
    }

    /// `picture` with smaller planes.
    private init(of picture: LayerPicture, planes: [PlaneBuffer], alphas: [PlaneBuffer]) {
        (width, height, shift, visible) = (picture.width, picture.height, picture.shift, picture.visible)
        self.planes = planes.map(\.plane)
        self.alphas = alphas.map(\.plane)
        grain = zip(picture.planes, planes).map { before, after in
            (Double(before.width) / Double(after.width), Double(before.height) / Double(after.height))
        }
        owned = planes + alphas
        isIndependent = true
    }

    /// This picture with planes of `detail` times the samples, each way, filtered as they shrink.
    /// - Parameter box: what may be seen, in pixels.
    /// - Precondition: this one was not shrunk.
    package func shrunk(to detail: LayerDetail, box: PlaneRect) -> LayerPicture {
        func made(_ plane: Plane, _ index: Int) -> PlaneBuffer {
            let small = PlaneBuffer(
                width: max(1, Int((Double(plane.width) * detail.x).rounded(.up))),
                height: max(1, Int((Double(plane.height) * detail.y).rounded(.up)))
            )
            small.mutablePlane.resample(plane, domain: area(of: box, index))
            return small
        }
        let small = planes.enumerated().map { made($1, $0) }
        guard alphas.count == 3 else { return LayerPicture(of: self, planes: small, alphas: []) }
        let chromaAlpha = made(alphas[1], 1)
        return LayerPicture(of: self, planes: small, alphas: [made(alphas[0], 0), chromaAlpha, chromaAlpha])
    }

    /// The part of the picture that is drawn: `crop` without what is transparent all around, as far from what is seen
    /// as a filter reaches.
    func box(_ crop: PlaneRect?, projection: Projection) -> PlaneRect {
        let all = PlaneRect(width: width, height: height)
        let box = crop.map { all.intersection($0) } ?? all
        if alphas.isEmpty || visible.isEmpty || box.isEmpty { return alphas.isEmpty ? box : box.intersection(visible) }
        let detail = LayerDetail(of: projection, box: box)
        let margin = 2 + 4 / max(1e-6, min(detail.x, detail.y))
        return box.intersection(visible.expanded(by: margin))
    }

    /// The samples of plane `index` that touch `box`.
    private func area(of box: PlaneRect, _ index: Int) -> SampleArea {
        let (shiftX, shiftY) = index == 0 ? (0, 0) : shift
        let plane = planes[index]
        let stepX = Double(1 << shiftX) * grain[index].x
        let stepY = Double(1 << shiftY) * grain[index].y
        return SampleArea(
            columns: samples(box.left / stepX, box.right / stepX, of: plane.width),
            rows: samples(box.top / stepY, box.bottom / stepY, of: plane.height)
        )
    }

    private func samples(_ from: Double, _ to: Double, of count: Int) -> Range<Int> {
        let last = Double(count)
        let low = Int(max(0, min(last, from.rounded(.down))))
        return low..<max(low, Int(max(0, min(last, to.rounded(.up)))))
    }

    /// Plane `index` for a frame whose plane is smaller by `frameShift`.
    func layer(_ index: Int, projection: Projection, box: PlaneRect, frameShift: (x: Int, y: Int)) -> LayerPlane {
        let own = index == 0 ? (0, 0) : shift
        let sampling =
            ChromaSite.inverse(frameShift) * projection * ChromaSite.projection(own)
            * .scale(x: grain[index].x, y: grain[index].y)
        return LayerPlane(
            samples: planes[index],
            alpha: alphas.isEmpty ? nil : alphas[index],
            domain: area(of: box, index),
            sampling: sampling
        )
    }
}

/// Between samples of a plane and pixels: with a shift of 1, column i has its centre at 2·i + ½ and row j at 2·j + 1.
enum ChromaSite {
    /// Pixels ← samples.
    static func projection(_ shift: (x: Int, y: Int)) -> Projection {
        let (x, y) = (Double(1 << shift.x), Double(1 << shift.y))
        return Projection(x: (x, 0, -(x - 1) / 2), y: (0, y, 0))
    }

    /// Samples ← pixels.
    static func inverse(_ shift: (x: Int, y: Int)) -> Projection {
        let (x, y) = (Double(1 << shift.x), Double(1 << shift.y))
        return Projection(x: (1 / x, 0, (x - 1) / 2 / x), y: (0, 1 / y, 0))
    }
}
