import Pixels
import Testing

/// Tables of colours against a plain reference in Double.
@Suite struct ColorLookupTests {
    private typealias Color = [Double]

    /// Noise of 0 … 1.
    private static func noise(_ index: Int) -> Double { Double((index &* 2_654_435_761) >> 7 & 0xFFFF) / 65535 }

    /// Which corner comes first is decided by the largest fraction, as Kasson, Nin, Plouffe and Hafner describe
    /// tetrahedral interpolation ("Performing color space conversions with three-dimensional linear interpolation",
    /// 1995).
    private static func tetrahedral(_ points: [Color], _ size: Int, _ color: Color) -> Color {
        let last = Double(size - 1)
        let scaled = color.map { max(0, min(last, $0 * last)) }
        let base = scaled.map { min(Int($0), size - 2) }
        let ways = (0..<3).map { scaled[$0] - Double(base[$0]) }
        func point(_ corner: [Int]) -> Color {
            points[(base[2] + corner[2]) * size * size + (base[1] + corner[1]) * size + base[0] + corner[0]]
        }
        var corner = [0, 0, 0]
        var result = point(corner)
        for axis in (0..<3).sorted(by: { ways[$0] > ways[$1] }) {
            let before = point(corner)
            corner[axis] = 1
            let after = point(corner)
            for channel in 0..<3 { result[channel] += (after[channel] - before[channel]) * ways[axis] }
        }
        return result
    }

    private static func code(_ c: Color) -> [Double] {
        let y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
        return [16 + 219 * y, 128 + 224 * (c[2] - y) / 1.8556, 128 + 224 * (c[0] - y) / 1.5748]
    }

    private static func color(_ code: [UInt8]) -> Color {
        let (y, u, v) = ((Double(code[0]) - 16) / 219, (Double(code[1]) - 128) / 224, (Double(code[2]) - 128) / 224)
        let (red, blue) = (y + 1.5748 * v, y + 1.8556 * u)
        return [red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue].map { max(0, min(1, $0)) }
    }

    /// 400 colours that R′G′B′ holds.
    private static let codes: [[UInt8]] = (0..<400).map { index in
        code((0..<3).map { noise(3 * index + $0) }).map { UInt8($0.rounded()) }
    }

    private func worst(_ lookup: ColorLookup, amount: Float, _ expected: ([Double]) -> [Double]) -> Double {
        let codes = ColorLookupTests.codes
        var picture = PictureStore(2 * codes.count, 2) { plane, x, _ in codes[plane == 0 ? x / 2 : x][plane] }
        picture.frame { $0.grade(ColorGrade([.lookup(lookup, amount: amount)]), matrix: .bt709) }
        var worst = 0.0
        for (index, code) in codes.enumerated() {
            let before = ColorLookupTests.color(code)
            let made = ColorLookupTests.code(expected(before).map { max(0, min(1, $0)) })
            let old = ColorLookupTests.code(before)
            for plane in 0..<3 {
                let found = Double(picture.planes[plane][plane == 0 ? 2 * index : index, 0])
                worst = max(worst, abs(found - (Double(code[plane]) + made[plane] - old[plane])))
            }
        }
        return worst
    }

    @Test(arguments: [2, 5, 17, 33], [1, 0.25] as [Float]) func cubesAreReadByTetrahedra(size: Int, amount: Float) {
        let points = (0..<size * size * size).map { index in
            (0..<3).map { ColorLookupTests.noise(7 * index + 100 + $0) * 1.2 - 0.1 }
        }
        let cube = ColorCube(size: size, colors: points.map { SIMD3(Float($0[0]), Float($0[1]), Float($0[2])) })
        let found = worst(ColorLookup(.cube(cube)), amount: amount) { color in
            let made = ColorLookupTests.tetrahedral(points, size, color)
            return zip(color, made).map { $0 + ($1 - $0) * Double(amount) }
        }
        #expect(found < 0.6, "\(found)")
    }

    /// The domain says which colours the first and last points are of; what is outside has theirs.
    @Test func aDomainIsMapped() {
        let points: [[Double]] = (0..<27).map { index in (0..<3).map { ColorLookupTests.noise(5 * index + $0) } }
        let cube = ColorCube(size: 3, colors: points.map { SIMD3(Float($0[0]), Float($0[1]), Float($0[2])) })
        let lookup = ColorLookup(.cube(cube), low: [0.1, -0.5, 0], high: [0.8, 1.5, 2])
        let (low, high): ([Double], [Double]) = ([0.1, -0.5, 0], [0.8, 1.5, 2])
        let found = worst(lookup, amount: 1) { color in
            let places: [Double] = (0..<3).map { channel in
                let length = high[channel] - low[channel]
                return (color[channel] - low[channel]) / length
            }
            return ColorLookupTests.tetrahedral(points, 3, places)
        }
        #expect(found < 0.6, "\(found)")
    }

    @Test func curvesAreReadBetweenTheirPoints() {
        let curves: [[Float]] = [[0, 0.7, 0.9, 1], [0.2, 0.1, 0.5, 0.6], [1, 0.5, 0.25, 0]]
        let lookup = ColorLookup(.curves(ToneCurves(red: curves[0], green: curves[1], blue: curves[2])))
        let found = worst(lookup, amount: 0.5) { color in
            (0..<3).map { channel in
                let place = color[channel] * 3
                let whole = min(2, Int(place))
                let (from, to) = (Double(curves[channel][whole]), Double(curves[channel][whole + 1]))
                return (color[channel] + from + (to - from) * (place - Double(whole))) / 2
            }
        }
        #expect(found < 0.6, "\(found)")
    }

    @Test func noneOfItChangesNothing() {
        let cube = ColorCube(size: 2, colors: Array(repeating: [1, 0, 0], count: 8))
        let picture = PictureStore.noise(21, 9, seed: 3)
        var graded = picture
        graded.frame { $0.grade(ColorGrade([.lookup(ColorLookup(.cube(cube)), amount: 0)]), matrix: .bt709) }
        for plane in 0..<3 { #expect(graded.planes[plane].bytes == picture.planes[plane].bytes) }
    }
}
