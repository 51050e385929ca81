/// The planes Y′, Cb, Cr of a frame that is drawn: 4:2:0, or any whose chroma has no shift or a shift of 1.
public struct FramePlanes {
    public let planes: [MutablePlane]
    /// Powers of two by which chroma is narrower and lower.
    public let shift: (x: Int, y: Int)
    /// Of a frame that is seen through: alphas of luma and chroma, by which ``planes`` are multiplied.
    let alphas: (luma: MutablePlane, chroma: MutablePlane)?

    /// - Precondition: three planes; chroma has luma's size shifted and rounded up.
    public init(planes: [MutablePlane], shift: (x: Int, y: Int)) {
        precondition(planes.count == 3)
        (self.planes, self.shift, alphas) = (planes, shift, nil)
    }

    /// A frame that is seen through. Nothing is in it where all samples and alphas are 0.
    /// - Precondition: as above; the alphas have the sizes of luma and chroma.
    public init(planes: [MutablePlane], shift: (x: Int, y: Int), alphas: (luma: MutablePlane, chroma: MutablePlane)) {
        precondition(planes.count == 3)
        precondition(alphas.luma.width == planes[0].width && alphas.luma.height == planes[0].height)
        precondition(alphas.chroma.width == planes[1].width && alphas.chroma.height == planes[1].height)
        (self.planes, self.shift, self.alphas) = (planes, shift, alphas)
    }
}
