/// The keys of all parameters of processors. ``SoundProcessor/Name/parameters`` says which processor has which, and
/// what they mean.
extension ParameterKey<SoundProcessor> {
    package static var amount: Self { Self("amount") }
    package static var attack: Self { Self("attack") }
    package static var ceiling: Self { Self("ceiling") }
    package static var damping: Self { Self("damping") }
    package static var decay: Self { Self("decay") }
    package static var dry: Self { Self("dry") }
    package static var feedback: Self { Self("feedback") }
    package static var frequency: Self { Self("frequency") }
    package static var hold: Self { Self("hold") }
    package static var knee: Self { Self("knee") }
    package static var makeup: Self { Self("makeup") }
    package static var mix: Self { Self("mix") }
    package static var order: Self { Self("order") }
    package static var preDelay: Self { Self("preDelay") }
    package static var range: Self { Self("range") }
    package static var ratio: Self { Self("ratio") }
    package static var release: Self { Self("release") }
    package static var sensitivity: Self { Self("sensitivity") }
    package static var size: Self { Self("size") }
    package static var threshold: Self { Self("threshold") }
    package static var time: Self { Self("time") }
}

/// A parameter as a kind of processor declares it.
package struct ProcessorParameter: Sendable, Hashable {
    /// The key of its value.
    package let key: SoundProcessor.Parameter
    /// Its unit, the values allowed and the value where none is written.
    package let quantity: SoundQuantity

    init(
        _ key: SoundProcessor.Parameter,
        _ unit: SoundQuantity.Unit,
        _ range: ClosedRange<Double>,
        standard: Double,
        isWhole: Bool = false
    ) {
        self.key = key
        quantity = SoundQuantity(key.name, unit, range, standard: standard, isWhole: isWhole)
    }
}

extension SoundProcessor.Name {
    /// The parameters that this processor has, which docs/sound.md explains; an equaliser has none, but bands.
    package var parameters: [ProcessorParameter] {
        switch self {
        case .equalizer: []
        case .highPass, .lowPass:
            [
                // The frequency at which 3 dB are lost.
                .init(.frequency, .hertz, 10...20_000, standard: self == .highPass ? 80 : 12_000),
                // The slope, in steps of 6 dB per octave.
                .init(.order, .factor, 1...8, standard: 2, isWhole: true),
            ]
        case .compressor:
            [
                // The level above which the output rises more slowly.
                .init(.threshold, .decibels, -80...0, standard: -20),
                // The dB of input for one more dB of output.
                .init(.ratio, .factor, 1...100, standard: 4),
                // The time to 1/e of the gain reduction.
                .init(.attack, .seconds, 0...0.5, standard: 0.01),
                // The time to 1/e of the recovery.
                .init(.release, .seconds, 0.005...3, standard: 0.2),
                // The width of the knee.
                .init(.knee, .decibels, 0...40, standard: 6),
                // The gain of the output.
                .init(.makeup, .decibels, -40...40, standard: 0),
            ]
        case .limiter:
            [
                // The true peak that is never exceeded.
                .init(.ceiling, .decibels, -40...0, standard: -1),
                // The time to 1/e of the recovery.
                .init(.release, .seconds, 0.005...3, standard: 0.1),
            ]
        case .gate:
            [
                // The level below which sound is lowered.
                .init(.threshold, .decibels, -100...0, standard: -50),
                // The amount by which it is lowered.
                .init(.range, .decibels, 0...120, standard: 60),
                // The time to 1/e of the change in dB when it opens.
                .init(.attack, .seconds, 0...0.5, standard: 0.002),
                // The time that it stays open.
                .init(.hold, .seconds, 0...5, standard: 0.1),
                // The time to 1/e of the change in dB when it closes.
                .init(.release, .seconds, 0.005...3, standard: 0.2),
            ]
        case .delay:
            [
                // The time from the sound to its repeat.
                .init(.time, .seconds, 0.001...5, standard: 0.25),
                // The share of each repeat that is repeated again.
                .init(.feedback, .factor, 0...0.95, standard: 0.3),
                // The gain of the repeats.
                .init(.mix, .factor, 0...1, standard: 0.3),
                // The gain of the original sound.
                .init(.dry, .factor, 0...1, standard: 1),
            ]
        case .reverb:
            [
                // The time until the reverb has fallen by 60 dB.
                .init(.decay, .seconds, 0.1...10, standard: 1.5),
                // The size of the room; 1 is its size as designed.
                .init(.size, .factor, 0.1...2, standard: 1),
                // The degree to which high frequencies decay sooner.
                .init(.damping, .factor, 0...0.95, standard: 0.3),
                // The time before the room answers.
                .init(.preDelay, .seconds, 0...0.5, standard: 0.01),
                // The gain of the reverb.
                .init(.mix, .factor, 0...1, standard: 0.25),
                // The gain of the original sound.
                .init(.dry, .factor, 0...1, standard: 1),
            ]
        case .noiseReduction:
            [
                // The amount by which noise is lowered.
                .init(.amount, .decibels, 0...60, standard: 12),
                // The factor by which noise may exceed the quietest moment.
                .init(.sensitivity, .factor, 1...20, standard: 4),
            ]
        }
    }
}
