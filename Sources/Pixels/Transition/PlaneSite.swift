/// The places of the samples of one plane in the whole frame, so that every plane of a picture shows one and the same
/// geometry.
///
/// Positions are in samples of the full frame, sample (0, 0) at 0, 0. Subsampled chroma stands on even columns and
/// between two rows (ITU-T H.264 figure E-1, chroma sample location type 0).
package struct PlaneSite: Sendable, Hashable {
    /// The width of the frame in pixels.
    package let frameWidth: Int
    /// The height of the frame in pixels.
    package let frameHeight: Int
    /// The subsampling along rows as a power of two: 0 or 1.
    package let shiftX: Int
    /// The subsampling along columns as a power of two: 0 or 1.
    package let shiftY: Int

    /// - Precondition: sides of at least 1, shifts of 0 or 1.
    package init(frameWidth: Int, frameHeight: Int, shiftX: Int = 0, shiftY: Int = 0) {
        precondition(frameWidth > 0 && frameHeight > 0 && (0...1).contains(shiftX) && (0...1).contains(shiftY))
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.shiftX = shiftX
        self.shiftY = shiftY
    }

    /// The width of the plane, in its own samples.
    package var width: Int { (frameWidth + shiftX) >> shiftX }
    /// The height of the plane, in its own samples.
    package var height: Int { (frameHeight + shiftY) >> shiftY }

    /// Position of column `x` of the plane in the frame.
    func column(_ x: Int) -> Double { Double(x << shiftX) }
    /// Position of row `y` of the plane in the frame.
    func row(_ y: Int) -> Double { Double(y << shiftY) + Double(shiftY) / 2 }

    /// The plane's column that holds the frame's column `x`.
    func planeColumn(_ x: Int) -> Int { min(x >> shiftX, width - 1) }
    func planeRow(_ y: Int) -> Int { min(y >> shiftY, height - 1) }
}
