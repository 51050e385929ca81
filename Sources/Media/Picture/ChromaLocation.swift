import CLibAV

/// The place of the first sample of subsampled chroma, from the centre of the first luma sample, in 256ths of a pixel.
/// In a direction in which nothing is subsampled it says nothing.
package struct ChromaLocation: Sendable, Hashable {
    /// The distance to the right.
    package var x: Int
    /// The distance down.
    package var y: Int

    package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    /// MPEG-2's and H.264's: on the even columns, halfway between two rows. All pictures that are made here.
    package static let left = ChromaLocation(x: 0, y: 128)
    /// JPEG's and MPEG-1's: in the middle of four pixels.
    package static let center = ChromaLocation(x: 128, y: 128)

    /// - Returns: nil when nothing is said.
    init?(_ raw: AVChromaLocation) {
        switch raw {
        case AVCHROMA_LOC_LEFT: self = .left
        case AVCHROMA_LOC_CENTER: self = .center
        case AVCHROMA_LOC_TOPLEFT: self.init(x: 0, y: 0)
        case AVCHROMA_LOC_TOP: self.init(x: 128, y: 0)
        case AVCHROMA_LOC_BOTTOMLEFT: self.init(x: 0, y: 256)
        case AVCHROMA_LOC_BOTTOM: self.init(x: 128, y: 256)
        default: return nil
        }
    }

    /// This in a format with that subsampling: 0 where there is none, and the middle of four samples is not that of
    /// two.
    func within(_ format: PixelFormat) -> ChromaLocation {
        func place(_ value: Int, _ shift: Int) -> Int {
            if shift == 0 { return 0 }
            return value == 128 ? (128 << shift) - 128 : value
        }
        let shift = format.chromaShift
        return ChromaLocation(x: place(x, shift.x), y: place(y, shift.y))
    }
}
