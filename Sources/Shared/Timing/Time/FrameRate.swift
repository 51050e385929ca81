/// Frames per second as an exact fraction, such as 30000/1001.
public struct FrameRate: Sendable, Hashable {
    public let framesPerSecond: RationalTime

    /// - Throws: ``TimeError/notPositive`` unless it is above 0.
    public init(_ numerator: Int64, _ denominator: Int64 = 1) throws(TimeError) {
        let rate = try RationalTime(numerator, denominator)
        guard rate > .zero else { throw .notPositive }
        framesPerSecond = rate
    }

    public var numerator: Int64 { framesPerSecond.numerator }
    public var denominator: Int64 { framesPerSecond.denominator }

    /// Seconds that one frame lasts. Cannot fail: the reciprocal of a reduced positive fraction.
    public var frameDuration: RationalTime {
        // Reduced already, so the reciprocal is representable.
        (try? RationalTime(denominator, numerator)) ?? RationalTime(whole: 1)
    }

    /// The exact start of frame `frame`, in seconds.
    public func time(ofFrame frame: Int64) throws(TimeError) -> RationalTime {
        try RationalTime(frame, of: frameDuration)
    }

    /// The frame nearest to `time` by `rounding`, and whether `time` falls exactly on it.
    public func frame(
        at time: RationalTime,
        rounding: Rounding = .halfAwayFromZero
    ) throws(TimeError) -> (value: Int64, isExact: Bool) {
        try time.count(of: frameDuration, rounding: rounding)
    }

    /// The sample number at which frame `frame` starts: one rounding of the absolute position, never a sum of pieces.
    public func sample(ofFrame frame: Int64, sampleRate: Int) throws(TimeError) -> Int64 {
        try time(ofFrame: frame).count(of: RationalTime(1, Int64(sampleRate))).value
    }

    /// The least count of frames with at least `sampleCount` samples: as many as end there or later, counted in
    /// samples. (Not its time rounded up: where frame n begins between two samples, the sample that begins it may lie
    /// past its time.)
    public func frameCount(ofSamples sampleCount: Int64, sampleRate: Int) throws(TimeError) -> Int64 {
        var count = try frame(at: RationalTime(sampleCount, Int64(sampleRate)), rounding: .down).value
        while try sample(ofFrame: count, sampleRate: sampleRate) < sampleCount { count += 1 }
        return count
    }
}

extension FrameRate: CustomStringConvertible, Codable {
    public var description: String { framesPerSecond.description }

    public func encode(to encoder: any Encoder) throws { try framesPerSecond.encode(to: encoder) }

    public init(from decoder: any Decoder) throws {
        let rate = try RationalTime(from: decoder)
        guard rate > .zero else {
            let message = "“\(rate)” is no frame rate: it must be above 0"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        try self.init(rate.numerator, rate.denominator)
    }
}

/// A half-open run of frame numbers.
public struct FrameRange: Sendable, Hashable, Codable {
    public let start: Int64
    /// Never negative.
    public let count: Int64

    public init(start: Int64, count: Int64) {
        precondition(count >= 0)
        self.start = start
        self.count = count
    }

    /// - Throws: `DecodingError` when the count is negative or the end does not fit into `Int64`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        start = try container.decode(Int64.self, forKey: .start)
        count = try container.decode(Int64.self, forKey: .count)
        guard count >= 0, !start.addingReportingOverflow(count).overflow else {
            throw DecodingError.dataCorruptedError(
                forKey: .count,
                in: container,
                debugDescription: "a range of \(count) frames from \(start) cannot be"
            )
        }
    }

    public var end: Int64 { start + count }
    public var isEmpty: Bool { count == 0 }
    public func contains(_ frame: Int64) -> Bool { frame >= start && frame < end }
}
