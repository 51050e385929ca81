/// One band of an equaliser.
package struct EqualizerBand: Sendable, Hashable, Codable {
    /// The shapes of bands.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case peak, lowShelf, highShelf, notch, bandPass
    }

    /// The shape of the band.
    package var band: Kind
    /// The middle of the band, or the edge of a shelf, in millionths of a hertz.
    package var frequency: Int64
    /// The gain in millionths of a dB; 0 for a notch and a band pass.
    package var gain: Int64
    /// The quality Q, in millionths.
    package var quality: Int64

    package init(_ band: Kind, frequency: Int64, gain: Int64, quality: Int64) {
        (self.band, self.frequency, self.gain, self.quality) = (band, frequency, gain, quality)
    }

    /// The values allowed for ``frequency``.
    package static let frequencies = SoundQuantity("frequency", .hertz, 10...20_000, standard: 1000)
    /// The values allowed for ``gain``.
    package static let gains = SoundQuantity("gain", .decibels, -40...40, standard: 0)
    /// The values allowed for ``quality``.
    package static let qualities = SoundQuantity("quality", .factor, 0.1...30, standard: 0.707107)
}
