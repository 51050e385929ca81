import CompositionModel
import Timing

/// The parameters of an effect at one time.
struct EffectState: Hashable {
    let name: PictureEffect.Name
    let color: String
    let source: EffectSource?
    /// The numbers of every parameter that the effect has.
    private let numbers: [PictureEffect.Parameter: [Double]]

    init(_ effect: PictureEffect, at time: RationalTime) {
        name = effect.effect
        source = effect.source
        color = effect.color ?? effect.effect.standardColor ?? "#000000"
        var numbers: [PictureEffect.Parameter: [Double]] = [:]
        for parameter in effect.effect.parameters { numbers[parameter.key] = effect.value(parameter, at: time) }
        self.numbers = numbers
    }

    /// The first number of a parameter: the number of one that has one.
    /// - Precondition: the effect has it.
    subscript(parameter: PictureEffect.Parameter) -> Double { list(parameter)[0] }

    /// All numbers of a parameter, as many as its form has.
    /// - Precondition: the effect has it.
    func list(_ parameter: PictureEffect.Parameter) -> [Double] {
        guard let list = numbers[parameter] else { preconditionFailure("\(name) has no parameter \(parameter.name)") }
        return list
    }
}
