/// A number with a unit that an edit says of sound: what it is called, and what it may be.
public struct SoundQuantity: Sendable, Hashable {
    /// The units of numbers of sound.
    public enum Unit: String, Sendable, Hashable {
        /// Seconds are written as a time; a plain number is an error.
        case seconds
        case decibels, hertz, factor
        /// dBTP and LUFS.
        case truePeak, loudness
    }

    /// The name that messages call it by.
    public let name: String
    /// The unit of the number.
    public let unit: Unit
    /// The values allowed, both ends included, in millionths of the unit.
    public let range: ClosedRange<Int64>
    /// The value where none is written, in millionths of the unit.
    public let standard: Int64
    /// Whether only whole numbers of the unit are allowed.
    public let isWhole: Bool

    /// - Parameters:
    ///   - range: the values allowed, in the unit.
    ///   - standard: the value where none is written, in the unit.
    public init(
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
