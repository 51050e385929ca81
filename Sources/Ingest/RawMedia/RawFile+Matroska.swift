import CompositionModel
import Foundation
import Timing

extension RawFile {
    /// Writes a Matroska file: one cluster with one block per frame. Times are rounded to milliseconds, the usual
    /// timestamp scale of Matroska.
    /// - Throws: `CocoaError` as ``write(to:)``; `TimeError` for a time that cannot be represented.
    func write(_ picture: RawPicture, from input: FileHandle, to output: FileHandle) throws {
        try output.write(contentsOf: MatroskaElement.head(of: picture))
        for frame in 0..<byteCount / Int64(picture.byteCount) {
            let data = try read(picture.byteCount, from: input)
            let time = try picture.frameRate.time(ofFrame: frame).count(of: RationalTime(1, 1000)).value
            try output.write(contentsOf: MatroskaElement.cluster(at: time, data))
        }
    }
}
