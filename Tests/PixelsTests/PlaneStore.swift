import Pixels

/// Samples of a plane with a stride wider than its rows, and what lies between the rows.
struct PlaneStore {
    let width: Int
    let height: Int
    let stride: Int
    var bytes: [UInt8]

    /// Filled by `value`; 0xA5 lies between the rows.
    init(width: Int, height: Int, padding: Int = 5, value: (Int, Int) -> UInt8 = { _, _ in 0 }) {
        self.width = width
        self.height = height
        stride = width + padding
        bytes = Array(repeating: 0xA5, count: stride * height)
        for y in 0..<height {
            for x in 0..<width { bytes[y * stride + x] = value(x, y) }
        }
    }

    subscript(x: Int, y: Int) -> UInt8 { bytes[y * stride + x] }

    /// Whether what lies between the rows is as it was.
    var hasCleanPadding: Bool {
        (0..<height).allSatisfy { y in bytes[(y * stride + width)..<((y + 1) * stride)].allSatisfy { $0 == 0xA5 } }
    }

    func read<Result>(_ body: (Plane) -> Result) -> Result {
        bytes.withUnsafeBytes { body(Plane(base: $0.baseAddress!, stride: stride, width: width, height: height)) }
    }

    mutating func write(_ body: (MutablePlane) -> Void) {
        let (width, height, stride) = (width, height, stride)
        bytes.withUnsafeMutableBytes {
            body(MutablePlane(base: $0.baseAddress!, stride: stride, width: width, height: height))
        }
    }

    /// Sizes around the kernels' block lengths.
    static let sizes = [(1, 1), (7, 3), (8, 8), (9, 17), (16, 5), (33, 31), (64, 40)]

    static func noise(_ width: Int, _ height: Int, seed: Int) -> PlaneStore {
        PlaneStore(width: width, height: height) { x, y in
            UInt8(truncatingIfNeeded: (x &* 73 &+ y &* 151 &+ seed &* 211) &* 2_654_435_761 >> 11)
        }
    }
}
