import Foundation

/// HLG and PQ to BT.709 by the book: BT.2100, BT.2390-10 5.4.1, BT.2408, BT.1886; with libm.
enum WideBrightness {
    /// - Parameter patch: Y′CbCr of 10 bits, limited range, BT.2020.
    /// - Returns: Y′CbCr of 8 bits, BT.709, not rounded.
    static func displayed(_ patch: (Int, Int, Int), transfer: String) -> [Double] {
        let (y, cb, cr) = (
            Double(patch.0 - 64) / 876, Double(patch.1 - 512) / 896, Double(patch.2 - 512) / 896
        )
        let red = y + 1.4746 * cr
        let blue = y + 1.8814 * cb
        let green = (y - 0.2627 * red - 0.0593 * blue) / 0.6780
        let signals = [red, green, blue].map { min(1, max(0, $0)) }
        let light = transfer == "smpte2084" ? signals.map(pqLight) : hlgLight(signals)
        let wide = [[1.6605, -0.5876, -0.0728], [-0.1246, 1.1329, -0.0083], [-0.0182, -0.1006, 1.1187]]
        let display = wide.map { row in max(0, zip(row, light).map(*).reduce(0, +)) }
        let brightest = max(display.max() ?? 0, 1e-9)
        let factor = shown(brightest) / brightest / 203
        let codes = display.map { pow(min(1, $0 * factor), 1 / 2.4) }
        let luma = 0.2126 * codes[0] + 0.7152 * codes[1] + 0.0722 * codes[2]
        return [16 + 219 * luma, 128 + 224 * (codes[2] - luma) / 1.8556, 128 + 224 * (codes[0] - luma) / 1.5748]
    }

    private static func shown(_ light: Double) -> Double {
        let peak = pqCode(1000)
        let code = pqCode(min(1000, light)) / peak
        let most = pqCode(203) / peak
        let knee = 1.5 * most - 0.5
        if code < knee { return light }
        let t = (code - knee) / (1 - knee)
        let spline =
            (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * knee + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - knee)
            + (-2 * pow(t, 3) + 3 * pow(t, 2)) * most
        return pqLight(spline * peak)
    }

    private static let (m1, m2) = (2610.0 / 16384, 2523.0 / 4096 * 128)
    private static let (c1, c2, c3) = (3424.0 / 4096, 2413.0 / 4096 * 32, 2392.0 / 4096 * 32)

    private static func pqLight(_ code: Double) -> Double {
        let power = pow(code, 1 / m2)
        return 10_000 * pow(max(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    }

    private static func pqCode(_ light: Double) -> Double {
        let power = pow(light / 10_000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    private static func hlgLight(_ signals: [Double]) -> [Double] {
        let scene = signals.map { signal in
            signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
        let luminance = 0.2627 * scene[0] + 0.6780 * scene[1] + 0.0593 * scene[2]
        return scene.map { 1000 * pow(luminance, 0.2) * $0 }
    }
}
