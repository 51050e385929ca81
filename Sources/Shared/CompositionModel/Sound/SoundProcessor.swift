/// A change of a sound beyond its volume, on a clip, a track or the whole mix (docs/sound.md, "Processors").
package struct SoundProcessor: Sendable, Hashable, Codable {
    /// The kinds of processors.
    package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        case equalizer, highPass, lowPass
        case compressor, limiter, gate
        case delay, reverb
        case noiseReduction
    }

    /// The keys of ``values``.
    package typealias Parameter = ParameterKey<SoundProcessor>

    /// The kind of the processor.
    package var processor: Name
    /// The values in millionths of their units, by the keys of ``Name/parameters``; a parameter that is missing has its
    /// standard value.
    package var values: [Parameter: Int64]
    /// The bands of an equaliser, in the order in which they work; nil for all other processors.
    package var bands: [EqualizerBand]?
    /// Whether it works after the volume and pan of its clip or track; nil means before them.
    package var isAfterVolume: Bool?

    package init(
        _ processor: Name,
        _ values: [Parameter: Int64] = [:],
        bands: [EqualizerBand]? = nil,
        isAfterVolume: Bool? = nil
    ) {
        (self.processor, self.values, self.bands, self.isAfterVolume) = (processor, values, bands, isAfterVolume)
    }

    /// The value of a parameter in its unit; the standard value where none is written.
    /// - Precondition: ``Name/parameters`` of this processor has it.
    package subscript(parameter: Parameter) -> Double {
        guard let declared = processor.parameters.first(where: { $0.key == parameter }) else {
            preconditionFailure("\(processor) has no parameter \(parameter.name)")
        }
        return Double(values[parameter] ?? declared.quantity.standard) / 1_000_000
    }
}
