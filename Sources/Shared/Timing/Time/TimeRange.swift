/// A half-open range of time: `start` belongs to it, `end` does not.
public struct TimeRange: Sendable, Hashable, Codable {
    public let start: RationalTime
    /// Never negative.
    public let duration: RationalTime

    /// - Throws: ``TimeError/notPositive`` when `duration` is negative.
    public init(start: RationalTime, duration: RationalTime) throws(TimeError) {
        guard !duration.isNegative else { throw .notPositive }
        self.start = start
        self.duration = duration
    }

    /// - Throws: `DecodingError` when the duration is negative.
    public init(from decoder: any Decoder) throws {
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

    public func end() throws(TimeError) -> RationalTime { try start.adding(duration) }

    public func contains(_ time: RationalTime) throws(TimeError) -> Bool {
        let end = try end()
        return time >= start && time < end
    }
}

/// What of a source plays where on a timeline, as AV Foundation's `CMTimeMapping`.
public struct TimeMapping: Sendable, Hashable, Codable {
    /// In the source's time.
    public let source: TimeRange
    /// In the timeline's time.
    public let target: TimeRange

    public init(source: TimeRange, target: TimeRange) {
        self.source = source
        self.target = target
    }

    /// The source time shown at timeline time `time`: linear, exact.
    /// - Throws: ``TimeError/notPositive`` when the target is empty.
    public func sourceTime(at time: RationalTime) throws(TimeError) -> RationalTime {
        guard target.duration > .zero else { throw .notPositive }
        let way = try time.subtracting(target.start)
        let scaled = try way.multiplied(by: source.duration.divided(by: target.duration))
        return try source.start.adding(scaled)
    }
}
