/// A change of a sound beyond its volume, on a clip, a track or the whole mix (docs/sound.md, "Processors").
public struct SoundProcessor: Sendable, Hashable, Codable {
    /// The kinds of processors.
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case equalizer, highPass, lowPass
        case compressor, limiter, gate
        case delay, reverb
        case noiseReduction
    }

    /// The keys of ``values``.
    public typealias Parameter = ParameterKey<SoundProcessor>

    /// The kind of the processor.
    public var processor: Name
    /// The values in millionths of their units, by the keys of ``Name/parameters``; a parameter that is missing has its
    /// standard value.
    public var values: [Parameter: Int64]
    /// The bands of an equaliser, in the order in which they work; nil for all other processors.
    public var bands: [EqualizerBand]?
    /// Whether it works after the volume and pan of its clip or track; nil means before them.
    public var isAfterVolume: Bool?

    public init(
        _ processor: Name,
        _ values: [Parameter: Int64] = [:],
        bands: [EqualizerBand]? = nil,
        isAfterVolume: Bool? = nil
    ) {
        (self.processor, self.values, self.bands, self.isAfterVolume) = (processor, values, bands, isAfterVolume)
    }

    /// The value of a parameter in its unit; the standard value where none is written.
    /// - Precondition: ``Name/parameters`` of this processor has it.
    public subscript(parameter: Parameter) -> Double {
        guard let declared = processor.parameters.first(where: { $0.key == parameter }) else {
            preconditionFailure("\(processor) has no parameter \(parameter.name)")
        }
        return Double(values[parameter] ?? declared.quantity.standard) / 1_000_000
    }
}
