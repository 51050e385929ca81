/// Frames per second as an exact fraction, such as 30000/1001.
package struct FrameRate: Sendable, Hashable {
    package let framesPerSecond: RationalTime

    /// The rate of `numerator / denominator` frames per second, reduced.
    /// - Throws: ``TimeError/notPositive`` unless the rate is above 0, and ``TimeError/zeroDenominator`` or
    ///   ``TimeError/overflow`` when it is no fraction that fits.
    package init(_ numerator: Int64, _ denominator: Int64 = 1) throws(TimeError) {
        let rate = try RationalTime(numerator, denominator)
        guard rate > .zero else { throw .notPositive }
        framesPerSecond = rate
    }

    package var numerator: Int64 { framesPerSecond.numerator }
    package var denominator: Int64 { framesPerSecond.denominator }

    /// The length of one frame in seconds: the reciprocal of the rate.
    package var frameDuration: RationalTime {
        // The rate is a reduced positive fraction, so its reciprocal is always representable.
        (try? RationalTime(denominator, numerator)) ?? RationalTime(whole: 1)
    }

    /// The exact start of frame `frame`, in seconds.
    /// - Throws: ``TimeError/overflow`` when it does not fit.
    package func time(ofFrame frame: Int64) throws(TimeError) -> RationalTime {
        try RationalTime(frame, of: frameDuration)
    }

    /// The frame at `time` by `rounding`, and whether the frame starts exactly then.
    /// - Throws: ``TimeError/overflow`` when the frame number does not fit.
    package func frame(
        at time: RationalTime,
        rounding: Rounding = .halfAwayFromZero
    ) throws(TimeError) -> (value: Int64, isExact: Bool) {
        try time.count(of: frameDuration, rounding: rounding)
    }

    /// The number of the sample at which frame `frame` starts. The absolute position is rounded once; lengths of frames
    /// are never summed.
    /// - Throws: ``TimeError/overflow`` when the number does not fit.
    package func sample(ofFrame frame: Int64, sampleRate: Int) throws(TimeError) -> Int64 {
        try time(ofFrame: frame).count(of: RationalTime(1, Int64(sampleRate))).value
    }

    /// The numbers of the samples of `frames`: from the one at which the first frame starts up to the one at which the
    /// frame after the last one does. Ranges of frames side by side have ranges of samples side by side.
    /// - Throws: ``TimeError/overflow`` when a number does not fit.
    package func samples(ofFrames frames: FrameRange, sampleRate: Int) throws(TimeError) -> Range<Int64> {
        let (end, overflows) = frames.start.addingReportingOverflow(frames.count)
        guard !overflows else { throw .overflow }
        let first = try sample(ofFrame: frames.start, sampleRate: sampleRate)
        return first..<(try sample(ofFrame: end, sampleRate: sampleRate))
    }

    /// The least number of frames that hold at least `sampleCount` samples. Rounding up the time would differ: a frame
    /// that starts between two samples may get its first sample only after its start.
    /// - Throws: ``TimeError/overflow`` when a position does not fit.
    package func frameCount(ofSamples sampleCount: Int64, sampleRate: Int) throws(TimeError) -> Int64 {
        var count = try frame(at: RationalTime(sampleCount, Int64(sampleRate)), rounding: .down).value
        while try sample(ofFrame: count, sampleRate: sampleRate) < sampleCount { count += 1 }
        return count
    }
}

extension FrameRate: CustomStringConvertible, Codable {
    package var description: String { framesPerSecond.description }

    package func encode(to encoder: any Encoder) throws { try framesPerSecond.encode(to: encoder) }

    /// Decodes the rate from its fraction `"n/d"`.
    /// - Throws: `DecodingError` when the text is no fraction or is not above 0.
    package init(from decoder: any Decoder) throws {
        let rate = try RationalTime(from: decoder)
        guard rate > .zero else {
            let message = "“\(rate)” is no frame rate: it must be above 0"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        try self.init(rate.numerator, rate.denominator)
    }
}

/// A half-open run of frame numbers: `start` belongs to it, `end` does not.
package struct FrameRange: Sendable, Hashable, Codable {
    package let start: Int64
    /// The number of frames; never negative.
    package let count: Int64

    // In the order of canonical JSON, in which they are written without being sorted.
    private enum CodingKeys: String, CodingKey {
        case count, start
    }

    /// - Precondition: `count` ≥ 0, and `start + count` fits into `Int64`.
    package init(start: Int64, count: Int64) {
        precondition(count >= 0)
        self.start = start
        self.count = count
    }

    /// Decodes a range from its start and count.
    /// - Throws: `DecodingError` when a number is missing, the count is negative or the end does not fit into `Int64`.
    package init(from decoder: any Decoder) throws {
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

    /// The first frame after the range.
    package var end: Int64 { start + count }
    package var isEmpty: Bool { count == 0 }
    package func contains(_ frame: Int64) -> Bool { frame >= start && frame < end }
}
