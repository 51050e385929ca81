/// A number with a unit in an edit's sound: its name, its unit and the values allowed.
package struct SoundQuantity: Sendable, Hashable {
    /// The units of numbers of sound.
    package enum Unit: String, Sendable, Hashable {
        /// Seconds, which an edit writes as a time; a plain number is an error.
        case seconds
        case decibels, hertz, factor
        /// True peak in dBTP, and loudness in LUFS.
        case truePeak, loudness
    }

    /// The name of the quantity in messages.
    package let name: String
    /// The unit of the number.
    package let unit: Unit
    /// The values allowed, both ends included, in millionths of the unit.
    package let range: ClosedRange<Int64>
    /// The value where none is written, in millionths of the unit.
    package let standard: Int64
    /// Whether only whole numbers of the unit are allowed.
    package let isWhole: Bool

    /// - Parameters:
    ///   - range: the values allowed, in the unit.
    ///   - standard: the value where none is written, in the unit.
    package init(
        _ name: String,
        _ unit: Unit,
        _ range: ClosedRange<Double>,
        standard: Double,
        isWhole: Bool = false
    ) {
        let millionths = { (value: Double) in Int64((value * 1_000_000).rounded()) }
        (self.name, self.unit, self.isWhole) = (name, unit, isWhole)
        self.range = millionths(range.lowerBound)...millionths(range.upperBound)
        self.standard = millionths(standard)
    }
}
