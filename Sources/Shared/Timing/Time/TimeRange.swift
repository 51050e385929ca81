/// A half-open range of time: `start` belongs to it, `end` does not.
package struct TimeRange: Sendable, Hashable, Codable {
    package let start: RationalTime
    /// The length of the range in seconds; never negative.
    package let duration: RationalTime

    /// The range that begins at `start` and lasts `duration`, which may be zero.
    /// - Throws: ``TimeError/notPositive`` when `duration` is negative.
    package init(start: RationalTime, duration: RationalTime) throws(TimeError) {
        guard !duration.isNegative else { throw .notPositive }
        self.start = start
        self.duration = duration
    }

    /// Decodes a range from its start and duration.
    /// - Throws: `DecodingError` when a value is missing or malformed, or the duration is negative.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        start = try container.decode(RationalTime.self, forKey: .start)
        duration = try container.decode(RationalTime.self, forKey: .duration)
        guard !duration.isNegative else {
            throw DecodingError.dataCorruptedError(
                forKey: .duration,
                in: container,
                debugDescription: "a duration of \(duration) s is negative"
            )
        }
    }

    /// The first time after the range.
    /// - Throws: ``TimeError/overflow`` when `start + duration` does not fit.
    package func end() throws(TimeError) -> RationalTime { try start.adding(duration) }

    /// Whether `time` lies in the range; the end does not.
    /// - Throws: ``TimeError/overflow`` when ``end()`` does not fit.
    package func contains(_ time: RationalTime) throws(TimeError) -> Bool {
        let end = try end()
        return time >= start && time < end
    }
}
