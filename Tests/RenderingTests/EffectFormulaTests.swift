import CompositionModel
import Foundation
import Media
import Testing
import Timing

@testable import Rendering

/// Effects on colours against the formulas of docs/design/picture.md in Double, over seeded colours and parameters.
@Suite struct EffectFormulaTests {
    private typealias Color = [Double]

    /// Colours that R′G′B′ holds, as the nearest code values of BT.709, limited range.
    private static let codes: [[UInt8]] = {
        var random = SeededNumbers(seed: 7)
        return (0..<300).map { _ in code((0..<3).map { _ in random.next(0...1) }).map { UInt8($0.rounded()) } }
    }()

    private static func code(_ c: Color) -> [Double] {
        let y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]
        return [16 + 219 * y, 128 + 224 * (c[2] - y) / 1.8556, 128 + 224 * (c[0] - y) / 1.5748]
    }

    private static func color(_ code: [UInt8]) -> Color {
        let (y, u, v) = ((Double(code[0]) - 16) / 219, (Double(code[1]) - 128) / 224, (Double(code[2]) - 128) / 224)
        let (red, blue) = (y + 1.5748 * v, y + 1.8556 * u)
        return [red, (y - 0.2126 * red - 0.0722 * blue) / 0.7152, blue].map { max(0, min(1, $0)) }
    }

    private static func grey(_ c: Color) -> Double { 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2] }

    private static func sepia(_ c: Color) -> Color {
        [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]].map { row in
            zip(row, c).map(*).reduce(0, +)
        }
    }

    private static func formula(
        _ name: PictureEffect.Name,
        _ v: [PictureEffect.Parameter: [Double]],
        _ c: Color
    ) -> Color {
        let amount = v[.amount]?[0] ?? 0
        switch name {
        case .exposure: return c.map { $0 * pow(2, v[.stops]![0] / 2.4) }
        case .brightness: return c.map { $0 + amount }
        case .contrast: return c.map { ($0 - 0.5) * amount + 0.5 }
        case .saturation: return c.map { grey(c) + ($0 - grey(c)) * amount }
        case .blackAndWhite: return c.map { grey(c) + ($0 - grey(c)) * (1 - amount) }
        case .temperature:
            let tint = v[.tint]![0]
            return [c[0] * (1 + amount / 4), c[1] * (1 - tint / 4), c[2] * (1 - amount / 4)]
        case .liftGammaGain:
            return (0..<3).map { channel in
                let (lift, gamma, gain) = (v[.lift]![channel], v[.gamma]![channel], v[.gain]![channel])
                return pow(max(0, gain * (c[channel] + lift * (1 - c[channel]))), 1 / gamma)
            }
        default: return zip(c, sepia(c)).map { $0 + ($1 - $0) * amount }
        }
    }

    @Test(arguments: [
        PictureEffect.Name.exposure, .brightness, .contrast, .saturation, .blackAndWhite, .temperature, .liftGammaGain,
        .sepia,
    ])
    func everyEffectIsItsFormula(name: PictureEffect.Name) throws {
        var random = SeededNumbers(seed: 11)
        let picture = try Picture.make(2 * Self.codes.count, 2) { plane, x, _ in
            Self.codes[plane == 0 ? x / 2 : x][plane]
        }
        for _ in 0..<6 {
            var values: [PictureEffect.Parameter: [Double]] = [:]
            for parameter in name.parameters {
                let range = Double(parameter.form.range.lowerBound)...min(2.5, Double(parameter.form.range.upperBound))
                let low = parameter.key == .gamma ? 0.4 : max(-2.5, range.lowerBound)
                // Millionths, as an edit holds them.
                values[parameter.key] = (0..<parameter.form.count).map { _ in
                    (random.next(low...range.upperBound) * 1_000_000).rounded() / 1_000_000
                }
            }
            let keys = values.mapValues { AnimatedProperty(constant: $0.map { Int64(($0 * 1_000_000).rounded()) }) }
            let state = EffectState(PictureEffect(name, keys), at: .zero)
            let result = try EffectPainter(color: .bt709).apply([state], to: picture, grain: (1, 1))
            var worst = 0.0
            for (index, code) in Self.codes.enumerated() {
                let before = Self.color(code)
                let made = Self.code(Self.formula(name, values, before).map { max(0, min(1, $0)) })
                let old = Self.code(before)
                for plane in 0..<3 {
                    let found = result.withPlane(plane) { Double($0.row(0)[plane == 0 ? 2 * index : index]) }
                    let expected = max(0, min(255, Double(code[plane]) + made[plane] - old[plane]))
                    worst = max(worst, abs(found - expected))
                }
            }
            #expect(worst < 1, "\(name) \(values): \(worst)")
        }
    }
}

/// Numbers that are the same in every run.
private struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ range: ClosedRange<Double>) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let part = Double(state >> 11) / Double(1 << 53)
        return range.lowerBound + (range.upperBound - range.lowerBound) * part
    }
}
