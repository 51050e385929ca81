/// The planes Y′, Cb, Cr of a frame that is drawn: 4:2:0, or any whose chroma has no shift or a shift of 1.
package struct FramePlanes {
    /// Y′, Cb and Cr.
    package let planes: [MutablePlane]
    /// Powers of two by which chroma is narrower and lower.
    package let shift: (x: Int, y: Int)
    /// The alphas of a frame that is seen through: those of luma and chroma, by which ``planes`` are multiplied.
    let alphas: (luma: MutablePlane, chroma: MutablePlane)?

    /// - Precondition: three planes; chroma has luma's size shifted and rounded up.
    package init(planes: [MutablePlane], shift: (x: Int, y: Int)) {
        precondition(FramePlanes.areAlike(planes.map(\.samples), shift))
        (self.planes, self.shift, alphas) = (planes, shift, nil)
    }

    /// A frame that is seen through. Nothing is in it where all samples and alphas are 0.
    /// - Precondition: planes as for ``init(planes:shift:)``; the alphas have the sizes of luma and chroma.
    package init(planes: [MutablePlane], shift: (x: Int, y: Int), alphas: (luma: MutablePlane, chroma: MutablePlane)) {
        precondition(FramePlanes.areAlike(planes.map(\.samples), shift))
        precondition(alphas.luma.width == planes[0].width && alphas.luma.height == planes[0].height)
        precondition(alphas.chroma.width == planes[1].width && alphas.chroma.height == planes[1].height)
        (self.planes, self.shift, self.alphas) = (planes, shift, alphas)
    }

    /// Whether `planes` are Y′, Cb and Cr, chroma with luma's size shifted and rounded up.
    static func areAlike(_ planes: [Plane], _ shift: (x: Int, y: Int)) -> Bool {
        guard planes.count == 3, (0...1).contains(shift.x), (0...1).contains(shift.y) else { return false }
        let (width, height) = ((planes[0].width + shift.x) >> shift.x, (planes[0].height + shift.y) >> shift.y)
        return planes[1...].allSatisfy { $0.width == width && $0.height == height }
    }
}
