/// A timecode label `hh:mm:ss:ff`, or `hh:mm:ss;ff` with drop frame (SMPTE ST 12-1).
///
/// Drop frame leaves out the labels `;00` and `;01` (at 60000/1001 `;00` to `;03`) of every minute that is not a
/// multiple of ten, so that the labels keep up with the clock. No frame is dropped:
/// ```
/// frame       1798         1799         1800         1801
/// non-drop    00:00:59:28  00:00:59:29  00:01:00:00  00:01:00:01
/// drop        00:00:59;28  00:00:59;29  00:01:00;02  00:01:00;03
/// ```
package struct Timecode: Sendable, Hashable {
    package var hours: Int64
    /// The minutes of the label, 0…59.
    package var minutes: Int64
    /// The seconds of the label, 0…59.
    package var seconds: Int64
    /// The frame label within the second: from 0 up to, but not including, the rate rounded up to a whole number.
    package var frames: Int64
    package var isDropFrame: Bool

    /// Whether labels at `rate` may be drop frame: only 30000/1001 and 60000/1001 frames per second have such labels.
    package static func allowsDropFrame(_ rate: FrameRate) -> Bool {
        rate.denominator == 1001 && (rate.numerator == 30_000 || rate.numerator == 60_000)
    }

    /// The label of frame `frame`, counted from 0, at `rate`.
    /// - Precondition: `frame` ≥ 0, and `rate` allows drop frame when `isDropFrame`.
    package init(frame: Int64, at rate: FrameRate, isDropFrame: Bool = false) {
        precondition(frame >= 0 && (!isDropFrame || Timecode.allowsDropFrame(rate)))
        let perSecond = Timecode.labelsPerSecond(rate)
        let skipped = isDropFrame ? Timecode.dropped(before: frame, perSecond: perSecond) : 0
        // The sum is 128 bits wide: frame and skipped labels together may exceed Int64. The quotient by the labels of a
        // second fits again.
        let label = Int128(frame) + Int128(skipped)
        let second = Int64(label / Int128(perSecond))
        frames = Int64(label % Int128(perSecond))
        (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60)
        self.isDropFrame = isDropFrame
    }

    init(hours: Int64, minutes: Int64, seconds: Int64, frames: Int64, isDropFrame: Bool) {
        self.hours = hours
        self.minutes = minutes
        self.seconds = seconds
        self.frames = frames
        self.isDropFrame = isDropFrame
    }

    /// The frame, counted from 0, that the label names at `rate`.
    /// - Throws: A ``TimeTextError`` of rule ``TimeTextError/Rule/timecode`` when the label does not exist at `rate`,
    ///   and of rule ``TimeTextError/Rule/overflow`` when the frame number does not fit into `Int64`.
    package func frame(at rate: FrameRate) throws(TimeTextError) -> Int64 {
        try check(at: rate)
        let perSecond = Int128(Timecode.labelsPerSecond(rate))
        let minute = Int128(hours) * 60 + Int128(minutes)
        let label = (minute * 60 + Int128(seconds)) * perSecond + Int128(frames)
        let skipped = isDropFrame ? perSecond / 15 * (minute - minute / 10) : 0
        guard let frame = Int64(exactly: label - skipped) else { throw .overflow(description) }
        return frame
    }

    /// The number of frame labels in one second: the rate rounded up to a whole number, 30 for 30000/1001, and at least
    /// 1.
    static func labelsPerSecond(_ rate: FrameRate) -> Int64 {
        // A rate below 1 still has one label.
        max(Int64(Rounding.up.divide(Int128(rate.numerator), by: Int128(rate.denominator)).value), 1)
    }

    /// The number of labels that drop frame skips before the label of frame `frame`.
    private static func dropped(before frame: Int64, perSecond: Int64) -> Int64 {
        let perMinute = perSecond / 15
        let (minuteFrames, tenMinuteFrames) = (perSecond * 60 - perMinute, perSecond * 600 - perMinute * 9)
        let (tens, rest) = (frame / tenMinuteFrames, frame % tenMinuteFrames)
        // The first minute of ten skips no label, so it is longer by `perMinute` frames.
        let minutes = max(rest - perMinute, 0) / minuteFrames
        return perMinute * (tens * 9 + minutes)
    }
}

extension Timecode {
    private func check(at rate: FrameRate) throws(TimeTextError) {
        let perSecond = Timecode.labelsPerSecond(rate)
        guard !isDropFrame || Timecode.allowsDropFrame(rate) else {
            throw wrong("is drop frame, which exists only at 30000/1001 and 60000/1001", instead: writing(":"))
        }
        guard minutes < 60, seconds < 60 else { throw wrong("has a minute or second above 59") }
        guard frames < perSecond else {
            throw wrong("has frame \(frames), but the last label of a second at \(rate) fps is \(perSecond - 1)")
        }
        let isLeftOut = isDropFrame && seconds == 0 && minutes % 10 != 0 && frames < perSecond / 15
        if isLeftOut {
            var next = self
            next.frames = perSecond / 15
            throw wrong("is a label that drop frame leaves out", instead: next.description)
        }
    }

    private func wrong(_ what: String, instead: String? = nil) -> TimeTextError {
        TimeTextError(
            rule: .timecode,
            message: "the timecode “\(self)” \(what)",
            suggestion: instead.map { "\"\($0)\"" }
        )
    }

    private func writing(_ separator: String) -> String {
        let parts = [hours, minutes, seconds].map(Timecode.padded).joined(separator: ":")
        return parts + separator + Timecode.padded(frames)
    }

    private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Timecode: CustomStringConvertible {
    /// The label as `hh:mm:ss:ff`; drop frame has `;` before the frames.
    package var description: String { writing(isDropFrame ? ";" : ":") }
}
