import CompositionModel
import Media

extension Picture {
    /// The visible samples of a plane, row by row.
    func samples(_ plane: Int) -> [UInt8] {
        withPlane(plane) { view in (0..<view.height).flatMap { Array(view.row($0)) } }
    }

    /// All planes' visible samples, as raw video holds them.
    var allSamples: [UInt8] { (0..<planeCount).flatMap(samples) }

    /// Where the first sample stands that is not as in `samples`, which holds all planes; nil when all agree.
    func difference(from samples: [UInt8]) -> Int? {
        let own = allSamples
        guard own.count == samples.count else { return min(own.count, samples.count) }
        return own == samples ? nil : own.indices.first { own[$0] != samples[$0] }
    }

    /// A yuv420p picture in BT.709 of reproducible noise.
    static func noise(_ width: Int, _ height: Int, seed: Int) throws -> Picture {
        try make(width, height) { plane, x, y in
            UInt8(truncatingIfNeeded: (x &* 73 &+ y &* 151 &+ plane &* 37 &+ seed &* 211) &* 2_654_435_761 >> 11)
        }
    }

    static func make(_ width: Int, _ height: Int, value: (Int, Int, Int) -> UInt8) throws -> Picture {
        let picture = try MutablePicture(width: width, height: height, pixelFormat: .yuv420p, color: .bt709)
        for plane in 0..<3 {
            picture.withMutablePlane(plane) { view in
                for y in 0..<view.height {
                    let row = view.row(y)
                    for x in 0..<view.width { row[x] = value(plane, x, y) }
                }
            }
        }
        return try picture.freeze()
    }
}
