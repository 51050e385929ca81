package import Foundation
import TestSupport

/// Raw yuv420p pictures whose number can be read back after any lossy way: eight black or white fields in luma.
package enum NumberedFrames {
    /// The pictures `0 ..< count`, one behind the other.
    package static func raw(_ count: Int, width: Int, height: Int) -> Data {
        var data = [UInt8]()
        let (chromaWidth, chromaHeight) = ((width + 1) / 2, (height + 1) / 2)
        data.reserveCapacity(count * (width * height + 2 * chromaWidth * chromaHeight))
        for number in 0..<count {
            let upper = (0..<width).map { number >> ($0 * 4 / width) & 1 == 1 ? UInt8(220) : 30 }
            let lower = (0..<width).map { number >> (4 + $0 * 4 / width) & 1 == 1 ? UInt8(220) : 30 }
            for y in 0..<height { data += y * 2 < height ? upper : lower }
            for plane in 0..<2 {
                data += [UInt8](repeating: UInt8(110 + 30 * plane), count: chromaWidth * chromaHeight)
            }
        }
        return Data(data)
    }

    /// The number in a picture's luma, read in the middle of each field.
    /// - Parameter luma: the value at column x of row y, of `depth` bits.
    package static func number(width: Int, height: Int, luma: (_ x: Int, _ y: Int) -> Int, middle: Int) -> Int {
        (0..<8).reduce(0) { number, bit in
            let x = (2 * (bit % 4) + 1) * width / 8
            let y = (2 * (bit / 4) + 1) * height / 4
            return luma(x, y) > middle ? number | 1 << bit : number
        }
    }
}
