import CompositionModel
import Foundation
import Media

/// Pictures whose number can be read back after any lossy way: 16 black or white squares in two rows.
enum TestPictures {
    static let size = PictureSize(width: 128, height: 96)

    /// Luma: squares of a number's bits over a moving slope; chroma: a slow drift.
    static func numbered(_ number: Int, size: PictureSize = size, color: ColorDescription = .bt709) throws -> Picture {
        let picture = try MutablePicture(
            width: size.width,
            height: size.height,
            pixelFormat: .yuv420p,
            color: color
        )
        picture.withMutablePlane(0) { plane in
            for y in 0..<plane.height {
                let row = plane.row(y)
                for x in 0..<plane.width { row[x] = luma(x, y, number: number, size: size) }
            }
        }
        for index in 1...2 {
            picture.withMutablePlane(index) { plane in
                for y in 0..<plane.height {
                    let row = plane.row(y)
                    for x in 0..<plane.width { row[x] = UInt8(100 + (number * index + x / 8) % 56) }
                }
            }
        }
        return try picture.freeze()
    }

    private static func luma(_ x: Int, _ y: Int, number: Int, size: PictureSize) -> UInt8 {
        let (cell, row) = (x * 8 / size.width, y * 4 / size.height)
        guard row < 2 else { return UInt8(60 + (x + 2 * y + 3 * number) % 130) }
        return number >> (row * 8 + cell) & 1 == 1 ? 235 : 16
    }

    /// The number drawn into `picture`, read in the middle of each square.
    static func number(of picture: Picture) -> Int {
        picture.withPlane(0) { plane in
            (0..<16).reduce(0) { number, bit in
                let x = (2 * (bit % 8) + 1) * picture.width / 16
                let y = (2 * (bit / 8) + 1) * picture.height / 8
                return plane.row(y)[x] > 125 ? number | 1 << bit : number
            }
        }
    }

    /// All frames as raw yuv420p for `ffmpeg -f rawvideo`.
    static func raw(count: Int, size: PictureSize = size) throws -> Data {
        var data = Data()
        for number in 0..<count {
            let picture = try numbered(number, size: size)
            for plane in 0..<picture.planeCount {
                picture.withPlane(plane) { view in
                    for y in 0..<view.height { data.append(contentsOf: view.row(y)) }
                }
            }
        }
        return data
    }
}
