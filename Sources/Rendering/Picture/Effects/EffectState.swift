import Timing
import CompositionModel

/// What an effect is told at one time.
struct EffectState: Hashable {
    let name: PictureEffect.Name
    let color: String
    let source: EffectSource?
    private let numbers: [String: [Double]]

    init(_ effect: PictureEffect, at time: RationalTime) {
        name = effect.effect
        source = effect.source
        color = effect.color ?? effect.effect.standardColor ?? "#000000"
        var numbers: [String: [Double]] = [:]
        for parameter in effect.effect.parameters { numbers[parameter.name] = effect.value(parameter, at: time) }
        self.numbers = numbers
    }

    /// The number of a parameter that has one.
    subscript(parameter: String) -> Double { numbers[parameter]?.first ?? 0 }

    /// All numbers of a parameter.
    func list(_ parameter: String) -> [Double] { numbers[parameter] ?? [] }
}
