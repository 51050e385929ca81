import CompositionModel
import Pixels
import Timing

/// Brings HLG and PQ to BT.709 by the curve of Report ITU-R BT.2390, for a source of 1,000 cd/m² and a white of 203
/// cd/m² (BT.2408); the display's curve is BT.1886's power of 2.4.
enum ToneCurve {
    /// - Returns: nil for a transfer that needs none.
    static func map(of color: ColorDescription) -> ToneMap? {
        switch color.transfer {
        case "smpte2084": color.primaries == "bt2020" ? perceptual : perceptualNarrow
        case "arib-std-b67": color.primaries == "bt2020" ? hybrid : hybridNarrow
        default: nil
        }
    }

    private static let perceptual = make(light: { pqLight($0) }, scene: nil, wide)
    private static let perceptualNarrow = make(light: { pqLight($0) }, scene: nil, same)
    private static let hybrid = make(light: { hlgScene($0) }, scene: { hlgGain($0) }, wide)
    private static let hybridNarrow = make(light: { hlgScene($0) }, scene: { hlgGain($0) }, same)

    /// BT.2020's primaries in BT.709's (ITU-R BT.2087).
    private static let wide = [1.6605, -0.5876, -0.0728, -0.1246, 1.1329, -0.0083, -0.0182, -0.1006, 1.1187]
    private static let same: [Double] = [1, 0, 0, 0, 1, 0, 0, 0, 1]

    private static let sourcePeak = 1000.0
    private static let white = 203.0
    private static let steps = 4096

    private static func make(
        light: (Double) -> Double,
        scene: ((Double) -> Double)?,
        _ primaries: [Double]
    ) -> ToneMap {
        // The entry at n stands for roots, so its argument is (n / steps)².
        func roots(_ body: (Double) -> Double) -> [Double] {
            (0...steps).map { body(Double($0 * $0) / Double(steps * steps)) }
        }
        return ToneMap(
            light: (0..<4096).map { light(Double($0) / 4095) },
            sceneGain: scene.map(roots) ?? [],
            luminance: [0.2627, 0.6780, 0.0593],
            primaries: primaries,
            peak: 10_000,
            gain: roots { displayed($0 * 10_000) / white / max($0 * 10_000, 1e-9) }.fixingFirst,
            signal: roots { ExactMath.power($0, 1 / 2.4) }
        )
    }

    /// BT.2390-10, 5.4.1.1: the light shown for `light`, both in cd/m².
    private static func displayed(_ light: Double) -> Double {
        let peak = pqCode(sourcePeak)
        let code = pqCode(min(light, sourcePeak)) / peak
        let most = pqCode(white) / peak
        let knee = 1.5 * most - 0.5
        guard code > knee else { return light }
        let t = (code - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * most
        return pqLight(bent * peak)
    }

    /// SMPTE ST 2084: signal 0…1 to cd/m².
    static func pqLight(_ code: Double) -> Double {
        let power = ExactMath.power(code, 1 / 78.84375)
        let ratio = max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power)
        return 10_000 * ExactMath.power(ratio, 1 / 0.1593017578125)
    }

    static func pqCode(_ light: Double) -> Double {
        let power = ExactMath.power(light / 10_000, 0.1593017578125)
        return ExactMath.power((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
    }

    /// ITU-R BT.2100, HLG's inverse OETF: signal to scene light, both 0…1.
    private static func hlgScene(_ code: Double) -> Double {
        if code <= 0.5 { return code * code / 3 }
        let exponent = (code - 0.55991073) / 0.17883277
        return (ExactMath.power(2.718281828459045, exponent) + 0.28466892) / 12
    }

    /// BT.2100's OOTF for a display of 1,000 cd/m²: what scene light of luminance `bright` is multiplied by.
    private static func hlgGain(_ bright: Double) -> Double { sourcePeak * ExactMath.power(bright, 0.2) }
}

extension [Double] {
    /// The same table with the second number in place of the first, which stands at 0 / 0.
    fileprivate var fixingFirst: [Double] { [self[1]] + dropFirst() }
}
