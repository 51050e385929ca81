import CompositionModel
import Timing

/// The times of one stream's pictures in ticks that a file can keep exactly, counted from the source's zero.
///
/// At a constant rate the rounding of the container is undone: picture n begins at exactly n frame durations. Jitter is
/// more than rounding, and is kept.
struct PictureClock {
    /// Ticks in a second.
    let ticksPerSecond: Int64
    /// The time of tick 0, in seconds from the source's zero.
    let start: RationalTime
    private let index: FrameIndex
    /// Ticks of a frame; nil where the times are those of the container.
    private let frameTicks: Int64?

    /// - Throws: ``MediaError/unsupported(_:)`` for times that no file has.
    init(_ index: FrameIndex) throws(MediaError) {
        self.index = index
        if let frame = index.constantFrameDuration, frame.denominator <= Int64(Int32.max), Self.isRounded(index, frame)
        {
            ticksPerSecond = frame.denominator
            frameTicks = frame.numerator
            start = try PictureClock.time(index.shown[0] - index.origin, index.timeBase)
        } else {
            ticksPerSecond = index.timeBase.denominator
            frameTicks = nil
            start = .zero
        }
    }

    /// The ticks at which a picture with this pts begins.
    func ticks(_ pts: Int64) -> Int64 {
        guard let frame = index.constantFrameDuration, let frameTicks else {
            return (pts - index.origin) * index.timeBase.numerator
        }
        return Self.number(pts - index.shown[0], index, frame) * frameTicks
    }

    /// The time at which a shown frame begins, in seconds from the source's zero.
    /// - Parameter frame: a frame number; the number of frames means the end of the last.
    /// - Throws: ``MediaError/unsupported(_:)`` for times that no file has.
    func time(ofFrame frame: Int64) throws(MediaError) -> RationalTime {
        let ticks: Int64
        if let frameTicks {
            ticks = frame * frameTicks
        } else {
            ticks = self.ticks(frame < Int64(index.shown.count) ? index.shown[Int(frame)] : index.endPts)
        }
        do {
            return try start.adding(RationalTime(ticks, ticksPerSecond))
        } catch {
            throw Self.impossible
        }
    }

    /// The pts of each shown frame lies within a tick of its place, as rounding leaves it.
    private static func isRounded(_ index: FrameIndex, _ frame: RationalTime) -> Bool {
        let (first, base) = (index.shown.first ?? 0, index.timeBase)
        // |(pts − first) × base − n × frame| ≤ base, over the common denominator.
        return index.shown.enumerated().allSatisfy { number, pts in
            let time = Int128(pts - first) * Int128(base.numerator) * Int128(frame.denominator)
            let place = Int128(number) * Int128(frame.numerator) * Int128(base.denominator)
            return (time - place).magnitude <= (Int128(base.numerator) * Int128(frame.denominator)).magnitude
        }
    }

    private static func number(_ distance: Int64, _ index: FrameIndex, _ frame: RationalTime) -> Int64 {
        let top = Int128(distance) * Int128(index.timeBase.numerator) * Int128(frame.denominator)
        let bottom = Int128(index.timeBase.denominator) * Int128(frame.numerator)
        return Int64(clamping: Rounding.halfAwayFromZero.divide(top, by: bottom).value)
    }

    private static func time(_ ticks: Int64, _ unit: RationalTime) throws(MediaError) -> RationalTime {
        do {
            return try RationalTime(ticks, of: unit)
        } catch {
            throw impossible
        }
    }

    private static var impossible: MediaError {
        .unsupported("The times of its pictures are impossible; remux the file with ffmpeg -c copy.")
    }
}
