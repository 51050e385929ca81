import CompositionModel
import Media
import Pixels

extension Picture {
    /// This with transparent pixels around it.
    /// - Parameters:
    ///   - x: how many on the left and on the right, an even number.
    ///   - y: above and below, likewise.
    /// - Throws: ``MediaError/unsupported(_:)`` for a pixel format that cannot have an alpha.
    func padded(x: Int, y: Int) throws(MediaError) -> Picture {
        let name = pixelFormat.name
        guard let format = PixelFormat(name: planeCount > 3 ? name : "yuva" + name.dropFirst(3)), planeCount >= 3 else {
            throw .unsupported("A picture in \(name) cannot be made transparent.")
        }
        let target = try MutablePicture(width: width + 2 * x, height: height + 2 * y, pixelFormat: format, color: color)
        let shift = format.chromaShift
        for index in 0..<target.planeCount {
            let own = index == 1 || index == 2 ? shift : (0, 0)
            target.withMutablePlane(index) { view in
                view.plane.fill(index == 1 || index == 2 ? 128 : index == 3 ? 0 : color.isFullRange ? 0 : 16)
                let (width, height) = ((self.width + own.0) >> own.0, (self.height + own.1) >> own.1)
                let place = view.plane.part(x: x >> own.0, y: y >> own.1, width: width, height: height)
                guard index < planeCount else { return place.fill(255) }
                withPlane(index) { place.copy($0.plane) }
            }
        }
        return try target.freeze()
    }
}
