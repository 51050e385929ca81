import CLibAV
import CompositionModel
import Timing

extension CodedRaster? {
    /// The shape of a sample; square where pictures are coded as they are shown.
    var sampleAspectRatio: AVRational {
        let aspect = self?.pixelAspect
        return AVRational(num: Int32(aspect?.numerator ?? 1), den: Int32(aspect?.denominator ?? 1))
    }
}

extension CodedRaster {
    /// The display matrix a b u, c d v, x y w in fixed point, 16 bits behind the point and 30 in the third column: a
    /// point (p, q) goes to (a·p + c·q + x, b·p + d·q + y), and the turned picture begins at (0, 0)
    /// (ISO/IEC 14496-12, 6.2.2).
    fileprivate var displayMatrix: [Int32] {
        let one: Int32 = 1 << 16
        let width = Int(pixelAspect.numerator) * size.width / Int(pixelAspect.denominator)
        let (right, bottom) = (Int32(clamping: width << 16), Int32(clamping: size.height << 16))
        let end: Int32 = 1 << 30
        switch degrees {
        case 90: return [0, one, 0, -one, 0, 0, bottom, 0, end]
        case 180: return [-one, 0, 0, 0, -one, 0, right, bottom, end]
        case 270: return [0, -one, 0, one, 0, 0, 0, right, end]
        default: return [one, 0, 0, 0, one, 0, 0, 0, end]
        }
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Gives the stream the display matrix that shows its pictures upright.
    /// - Throws: ``MediaError/writing(_:)`` when there is no memory.
    func turn(_ raster: CodedRaster) throws(MediaError) {
        let matrix = raster.displayMatrix
        let size = matrix.count * MemoryLayout<Int32>.size
        guard let memory = cut_new_stream_side_data(self, AV_PKT_DATA_DISPLAYMATRIX, size) else {
            throw .writing("No memory for a track's display matrix.")
        }
        matrix.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: memory, count: size).copyMemory(from: $0) }
    }
}
