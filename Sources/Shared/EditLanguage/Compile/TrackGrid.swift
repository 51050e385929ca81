import CompositionModel
import Timing

/// The units that positions on a track count, and what becomes of a time between two of them.
struct TrackGrid {
    let kind: EditTrack.Kind
    let rate: FrameRate
    let sampleRate: Int
    let log: FindingLog

    /// Seconds of one unit.
    var unit: RationalTime {
        // A sample rate is above 0 (Limits.sampleRates), so its reciprocal exists.
        kind == .video ? rate.frameDuration : (try? RationalTime(1, Int64(sampleRate))) ?? RationalTime(whole: 1)
    }

    /// The unit nearest to `time`: one rounding of the absolute position.
    func position(_ time: RationalTime) throws(TimeError) -> Int64 { try time.count(of: unit).value }

    /// The exact seconds of a written time.
    /// - Returns: nil after a finding.
    func seconds(_ time: Marked<EditTime>) -> RationalTime? {
        do throws(TimeTextError) {
            let seconds = try time.value.seconds(at: rate)
            if isWithinLimits(seconds, mark: time.mark) { return seconds }
        } catch {
            log.error(time.mark, FindingRule(error.rule), error.message, suggestion: error.suggestion)
        }
        return nil
    }

    /// - Returns: false after a finding. Whatever passes can be counted in frames and samples, and such counts be
    ///   added.
    func isWithinLimits(_ time: RationalTime, mark: SourceMark) -> Bool {
        let limits = RationalTime(whole: -Limits.longestSeconds)...RationalTime(whole: Limits.longestSeconds)
        guard !limits.contains(time) else { return true }
        let limit = "the limit of \(Limits.longestSeconds / 3600) hours"
        log.error(mark, .tooLong, "\(TimeWords.seconds(time)) are over \(limit)")
        return false
    }

    /// `time` where it is allowed to be: on a frame when `snap` says never and the track is picture. Otherwise there is
    /// a finding, and work goes on with the nearest frame so that more can be found.
    /// - Parameter allowed: the frames that may stand there. Of the two beside `time` the nearer one that is among them
    ///   is suggested; none when neither is: then another finding says more.
    func placed(
        _ time: RationalTime,
        snap: SnapRule,
        mark: SourceMark,
        within allowed: ClosedRange<Int64> = 0...Int64.max,
        at speed: RationalTime = RationalTime(whole: 1)
    ) throws(TimeError) -> RationalTime {
        guard kind == .video, snap == .never else { return time }
        let below = try rate.frame(at: time, rounding: .down)
        guard !below.isExact else { return time }
        let frames = [below.value, below.value + 1]
        let rounded = try rate.frame(at: time).value
        let nearest = allowed.contains(rounded) ? rounded : frames.first(where: allowed.contains)
        let neighbours = frames.map { TimeWords.frame($0, at: rate) }.joined(separator: " and ")
        log.error(
            mark,
            .offFrame,
            "\(TimeWords.seconds(time)) is no whole number of frames at \(rate) fps: it lies between \(neighbours)",
            suggestion: nearest.map { "\"\(written($0, at: speed))\"" }
        )
        return try rate.time(ofFrame: nearest ?? rounded)
    }

    /// How a length of `count` frames is written that is played at `speed`.
    private func written(_ count: Int64, at speed: RationalTime) -> EditTime {
        let path = try? rate.time(ofFrame: count).multiplied(by: speed)
        return speed == RationalTime(whole: 1) ? .frames(count) : path.map(EditTime.seconds) ?? .frames(count)
    }
}
