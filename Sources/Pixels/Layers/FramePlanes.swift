/// The planes Y′, Cb, Cr of a frame that is drawn: 4:2:0, or any whose chroma has no shift or a shift of 1.
public struct FramePlanes {
    public let planes: [MutablePlane]
    /// Powers of two by which chroma is narrower and lower.
    public let shift: (x: Int, y: Int)

    /// - Precondition: three planes; chroma has luma's size shifted and rounded up.
    public init(planes: [MutablePlane], shift: (x: Int, y: Int)) {
        precondition(planes.count == 3)
        (self.planes, self.shift) = (planes, shift)
    }

    /// Lays `picture` over the frame.
    /// - Parameters:
    ///   - projection: frame ← picture, in pixels.
    ///   - crop: the part that is seen, in the picture's pixels; nil shows all.
    ///   - opacity: 0 … 65536.
    public func paint(_ picture: LayerPicture, projection: Projection, crop: PlaneRect?, opacity: BlendWeight) {
        let all = PlaneRect(width: picture.width, height: picture.height)
        let box = crop.map { all.intersection($0) } ?? all
        guard !box.isEmpty, projection.isFinite, !opacity.isFirst else { return }
        for index in 0..<3 {
            let layer = picture.layer(index, projection: projection, box: box, frameShift: planeShift(index))
            planes[index].paint(layer, outline: outline(projection, box, index), opacity: opacity)
        }
    }

    private func planeShift(_ index: Int) -> (x: Int, y: Int) { index == 0 ? (0, 0) : shift }

    private func outline(_ projection: Projection, _ box: PlaneRect, _ index: Int) -> LayerOutline {
        let shift = planeShift(index)
        let (stepX, stepY) = (Double(1 << shift.x), Double(1 << shift.y))
        let width = Double(planes[0].width) / stepX
        let height = Double(planes[0].height) / stepY
        return LayerOutline(
            projection: .scale(x: 1 / stepX, y: 1 / stepY) * projection,
            box: box,
            frame: PlaneRect(left: 0, top: 0, right: width, bottom: height)
        )
    }
}
