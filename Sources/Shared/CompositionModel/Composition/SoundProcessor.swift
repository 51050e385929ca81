/// What changes a sound beyond its volume, at a clip, a track or the whole (docs/sound.md, "Processors").
public struct SoundProcessor: Sendable, Hashable, Codable {
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case equalizer, highPass, lowPass
        case compressor, limiter, gate
        case delay, reverb
        case noiseReduction
    }

    public var processor: Name
    /// Millionths of the unit, by the names of ``Name/parameters``; what is missing has its standard value.
    public var values: [String: Int64]
    /// Of an equaliser, one after the other; nil for everything else.
    public var bands: [EqualizerBand]?
    /// Whether it comes after the volume (and pan) of its place; nil is before.
    public var isAfterVolume: Bool?

    public init(
        _ processor: Name,
        _ values: [String: Int64] = [:],
        bands: [EqualizerBand]? = nil,
        isAfterVolume: Bool? = nil
    ) {
        (self.processor, self.values, self.bands, self.isAfterVolume) = (processor, values, bands, isAfterVolume)
    }

    /// The value of a parameter in its unit.
    public func value(_ name: String) -> Double {
        let standard = processor.parameters.first { $0.name == name }?.standard ?? 0
        return Double(values[name] ?? standard) / 1_000_000
    }
}

/// One band of an equaliser.
public struct EqualizerBand: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case peak, lowShelf, highShelf, notch, bandPass
    }

    public var band: Kind
    /// Millionths of a hertz: of the middle, or of a shelf's edge.
    public var frequency: Int64
    /// Millionths of a dB; 0 for a notch and a band pass.
    public var gain: Int64
    /// Millionths of Q.
    public var quality: Int64

    public init(_ band: Kind, frequency: Int64, gain: Int64, quality: Int64) {
        (self.band, self.frequency, self.gain, self.quality) = (band, frequency, gain, quality)
    }
}

/// A number that a processor is told.
public struct ProcessorParameter: Sendable, Hashable {
    public enum Unit: String, Sendable, Hashable {
        /// Written as a time; a plain number is an error.
        case seconds
        case decibels, hertz, factor
        /// dBTP and LUFS.
        case truePeak, loudness
    }

    public let name: String
    public let unit: Unit
    /// Millionths of the unit.
    public let range: ClosedRange<Int64>
    public let standard: Int64
    /// One line for the schema's readers.
    public let summary: String

    package init(_ name: String, _ unit: Unit, _ range: ClosedRange<Double>, _ standard: Double, _ summary: String) {
        let millionths = { (value: Double) in Int64((value * 1_000_000).rounded()) }
        (self.name, self.unit, self.summary) = (name, unit, summary)
        self.range = millionths(range.lowerBound)...millionths(range.upperBound)
        self.standard = millionths(standard)
    }
}

extension SoundProcessor.Name {
    /// In the order of docs/sound.md. An equaliser has bands instead.
    public var parameters: [ProcessorParameter] {
        switch self {
        case .equalizer: []
        case .highPass, .lowPass:
            [
                .init("frequency", .hertz, 10...20_000, self == .highPass ? 80 : 12_000, "Where 3 dB are lost."),
                .init("order", .factor, 1...8, 2, "6 dB an octave for each; a whole number."),
            ]
        case .compressor:
            [
                .init("threshold", .decibels, -80...0, -20, "Above it the level rises more slowly."),
                .init("ratio", .factor, 1...100, 4, "dB in for a dB out."),
                .init("attack", .seconds, 0...0.5, 0.01, "Time to 1/e of the way down."),
                .init("release", .seconds, 0.005...3, 0.2, "Time to 1/e of the way up."),
                .init("knee", .decibels, 0...40, 6, "Width of the bend."),
                .init("makeup", .decibels, -40...40, 0, "Added to all."),
            ]
        case .limiter:
            [
                .init("ceiling", .decibels, -40...0, -1, "True peak that is never passed."),
                .init("release", .seconds, 0.005...3, 0.1, "Time to 1/e of the way up."),
            ]
        case .gate:
            [
                .init("threshold", .decibels, -100...0, -50, "What stays below is lowered."),
                .init("range", .decibels, 0...120, 60, "By how much."),
                .init("attack", .seconds, 0...0.5, 0.002, "Time to open."),
                .init("hold", .seconds, 0...5, 0.1, "How long it stays open."),
                .init("release", .seconds, 0.005...3, 0.2, "Time to close."),
            ]
        case .delay:
            [
                .init("time", .seconds, 0.001...5, 0.25, "From the sound to its repeat."),
                .init("feedback", .factor, 0...0.95, 0.3, "Of each repeat that is repeated again."),
                .init("mix", .factor, 0...1, 0.3, "Gain of the repeats."),
                .init("dry", .factor, 0...1, 1, "Gain of what is repeated."),
            ]
        case .reverb:
            [
                .init("decay", .seconds, 0.1...10, 1.5, "Time to −60 dB."),
                .init("size", .factor, 0.1...2, 1, "Of the room."),
                .init("damping", .factor, 0...0.95, 0.3, "How much sooner high frequencies go."),
                .init("preDelay", .seconds, 0...0.5, 0.01, "Before the room answers."),
                .init("mix", .factor, 0...1, 0.25, "Gain of the room."),
                .init("dry", .factor, 0...1, 1, "Gain of what is heard in it."),
            ]
        case .noiseReduction:
            [
                .init("amount", .decibels, 0...60, 12, "By which noise is lowered."),
                .init("sensitivity", .factor, 1...20, 4, "How far above the quietest moment noise may reach."),
            ]
        }
    }
}
