import Pixels
import Testing

/// Against W3C's formulas as they are written down, in Double.
@Suite struct BlendFunctionTests {
    private typealias Color = [Double]

    private static func separable(_ function: BlendFunction, _ b: Double, _ s: Double) -> Double? {
        switch function {
        case .normal: s
        case .multiply: b * s
        case .screen: b + s - b * s
        case .overlay: separable(.hardLight, s, b)
        case .darken: min(b, s)
        case .lighten: max(b, s)
        case .colorDodge: b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
        case .softLight: softLight(b, s)
        case .difference: abs(b - s)
        case .exclusion: b + s - 2 * b * s
        default: nil
        }
    }

    private static func softLight(_ b: Double, _ s: Double) -> Double {
        let lift = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
        return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (lift - b)
    }

    private static func luminosity(_ c: Color) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }
    private static func saturation(_ c: Color) -> Double { c.max()! - c.min()! }

    private static func clip(_ c: Color) -> Color {
        let (l, n, x) = (luminosity(c), c.min()!, c.max()!)
        var result = c
        if n < 0 { result = result.map { l + ($0 - l) * l / (l - n) } }
        if x > 1 { result = result.map { l + ($0 - l) * (1 - l) / (x - l) } }
        return result
    }

    private static func set(luminosity l: Double, of c: Color) -> Color {
        clip(c.map { $0 + l - luminosity(c) })
    }

    /// By the order of the channels, as the recommendation does it.
    private static func set(saturation s: Double, of c: Color) -> Color {
        let order = (0..<3).sorted { c[$0] < c[$1] }
        var result = [0.0, 0, 0]
        if c[order[2]] > c[order[0]] {
            result[order[1]] = (c[order[1]] - c[order[0]]) * s / (c[order[2]] - c[order[0]])
            result[order[2]] = s
        }
        return result
    }

    private static func blend(_ function: BlendFunction, _ b: Color, _ s: Color) -> Color {
        switch function {
        case .hue: set(luminosity: luminosity(b), of: set(saturation: saturation(b), of: s))
        case .saturation: set(luminosity: luminosity(b), of: set(saturation: saturation(s), of: b))
        case .color: set(luminosity: luminosity(b), of: s)
        case .luminosity: set(luminosity: luminosity(s), of: b)
        default: (0..<3).map { separable(function, b[$0], s[$0])! }
        }
    }

    /// BT.709 in limited range.
    private static func color(_ y: Double, _ cb: Double, _ cr: Double) -> Color {
        let (y, u, v) = ((y - 16) / 219, (cb - 128) / 224, (cr - 128) / 224)
        let (red, blue) = (y + 1.5748 * v, y + 1.8556 * u)
        return [red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue]
    }

    private static func code(_ c: Color) -> [Double] {
        let y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
        return [16 + 219 * y, 128 + 224 * (c[2] - y) / 1.8556, 128 + 224 * (c[0] - y) / 1.5748]
    }

    /// Colours that R′G′B′ holds, as the nearest code values.
    private static let colors: [[UInt8]] = {
        let levels = [0.0, 0.2, 0.5, 0.8, 1]
        return levels.flatMap { red in
            levels.flatMap { green in
                levels.map { code([red, green, $0]).map { UInt8($0.rounded()) } }
            }
        }
    }()

    /// Every pair of 125 colours, each a block of 2 × 2 pixels.
    @Test(arguments: BlendFunction.allCases, [65536, 40000] as [UInt32])
    func everyFunctionIsItsFormula(function: BlendFunction, opacity: UInt32) {
        let colors = BlendFunctionTests.colors
        let count = colors.count
        let above = PictureStore(2 * count, 2 * count) { plane, x, _ in colors[plane == 0 ? x / 2 : x][plane] }
        let below = PictureStore(2 * count, 2 * count) { plane, _, y in colors[plane == 0 ? y / 2 : y][plane] }
        let result = below.painted(above, .identity, opacity: opacity, blend: function)
        var worst = 0.0
        for row in 0..<count {
            for column in 0..<count {
                let (s, b) = (clipped(colors[column]), clipped(colors[row]))
                let made = BlendFunctionTests.code(BlendFunctionTests.blend(function, b, s))
                let old = BlendFunctionTests.code(b)
                for plane in 0..<3 {
                    let (x, y) = plane == 0 ? (2 * column, 2 * row) : (column, row)
                    let change = (made[plane] - old[plane]) * Double(opacity) / 65536
                    let expected = Double(colors[row][plane]) + change
                    worst = max(worst, abs(expected - Double(result.planes[plane][x, y])))
                }
            }
        }
        // Near a jump of the function (a division by almost nothing) the last bit of Float decides.
        let limit = [.colorDodge, .colorBurn, .hue, .saturation].contains(function) ? 1.5 : 1
        #expect(worst < limit)
        #expect(result.hasCleanPadding)
    }

    private func clipped(_ code: [UInt8]) -> [Double] {
        BlendFunctionTests.color(Double(code[0]), Double(code[1]), Double(code[2])).map { max(0, min(1, $0)) }
    }

    /// White multiplied, black screened: nothing changes, whatever lies below.
    @Test(
        arguments: [(.multiply, 235), (.screen, 16), (.darken, 235), (.lighten, 16), (.difference, 16)]
            as [(BlendFunction, UInt8)]
    )
    func whatIsNeutralChangesNothing(function: BlendFunction, luma: UInt8) {
        let below = PictureStore.noise(33, 21, seed: 1)
        let above = PictureStore.flat(33, 21, [luma, 128, 128])
        let result = below.painted(above, .identity, blend: function)
        for plane in 0..<3 { #expect(result.planes[plane].bytes == below.planes[plane].bytes) }
    }

    @Test(arguments: BlendFunction.allCases)
    func whereTheLayerIsTransparentNothingChanges(function: BlendFunction) {
        let below = PictureStore.noise(33, 21, seed: 1)
        let above = PictureStore.noise(33, 21, seed: 2).with { x, _ in x < 16 ? 0 : 255 }
        let result = below.painted(above, .identity, blend: function)
        for y in 0..<21 {
            for x in 0..<16 { #expect(result.planes[0][x, y] == below.planes[0][x, y]) }
        }
        #expect(result.planes[0].bytes != below.planes[0].bytes)
    }

    /// Turned and in part outside of the frame, odd sizes.
    @Test(arguments: BlendFunction.allCases)
    func anywhereInTheFrameItIsSafe(function: BlendFunction) {
        let below = PictureStore.noise(35, 27, seed: 1)
        let above = PictureStore.noise(21, 17, seed: 2)
        let turn = Projection.rotation(sin: 0.6, cos: 0.8)
        for map in [turn, .translation(x: 25.5, y: 19.25), .translation(x: -7, y: 30) * turn, .scale(x: 9, y: -9)] {
            #expect(below.painted(above, map, blend: function).hasCleanPadding)
        }
    }
}
