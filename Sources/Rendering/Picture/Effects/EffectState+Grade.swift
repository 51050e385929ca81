import CompositionModel
import Pixels
import Timing

extension EffectState {
    /// What it does to colours; nil for an effect that does more.
    func gradeStep(_ matrix: ColorMatrix, _ material: EffectMaterial) -> ColorGrade.Step? {
        switch name {
        case .exposure: .transform(exposure)
        case .brightness: .transform(.brightness(Float(self[.amount])))
        case .contrast: .transform(.contrast(Float(self[.amount])))
        case .saturation: .transform(.saturation(Float(self[.amount]), matrix: matrix))
        case .temperature: .transform(temperature)
        case .liftGammaGain: .curves(liftGammaGain)
        case .sepia: .transform(.sepia(Float(self[.amount])))
        case .blackAndWhite: .transform(.saturation(Float(1 - self[.amount]), matrix: matrix))
        case .lut:
            source.flatMap { material.lookups[$0.asset] }.map { .lookup($0, amount: Float(self[.amount])) }
        case .chromaKey, .lumaKey, .blur, .sharpen, .vignette, .pixelate, .roundedCorners, .mask, .dropShadow: nil
        }
    }

    /// Light times 2^stops: with BT.1886's exponent of 2.4 that is R′G′B′ times 2^(stops / 2.4).
    private var exposure: ColorTransform {
        let gain = Float(ExactMath.exp2(self[.stops] / 2.4))
        return .gain(red: gain, green: gain, blue: gain)
    }

    /// At 1 red has a quarter more and blue a quarter less; magenta is green with a quarter less.
    private var temperature: ColorTransform {
        let (warm, tint) = (Float(self[.amount]) / 4, Float(self[.tint]) / 4)
        return .gain(red: 1 + warm, green: 1 - tint, blue: 1 - warm)
    }

    /// (gain · (x + lift · (1 − x)))^(1 / gamma) for each channel.
    private var liftGammaGain: ToneCurves {
        let (lifts, gammas, gains) = (list(.lift), list(.gamma), list(.gain))
        let curves = (0..<3).map { channel in
            let (lift, gamma, gain) = (lifts[channel], max(0.1, gammas[channel]), gains[channel])
            return (0...1024).map { index -> Float in
                let x = Double(index) / 1024
                let light = max(0, gain * (x + lift * (1 - x)))
                return Float(gamma == 1 ? light : ExactMath.power(light, 1 / gamma))
            }
        }
        return ToneCurves(red: curves[0], green: curves[1], blue: curves[2])
    }
}
