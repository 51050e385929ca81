package import Timing

/// The progress of a source at each frame of a timeline, where its speed changes.
///
/// Whole numbers decide everything: progress is in millionths of the edit's frame duration, counted from the source's
/// start.
/// ```
/// frames    0    10   11   12   13    50      one number for each frame where the speed changes,
/// progress  0    10   11.2 12.9 15.1  126.1   the ends alone where it stays (× 10⁶)
/// ```
package struct RetimeCurve: Sendable, Hashable, Codable {
    /// The frames of the timeline at which the progress is given, ascending from 0.
    package var frames: [Int64]
    /// The progress at each of `frames`, from 0.
    package var progress: [Int64]

    /// The keys in JSON, which stay what they were: plans are stored and digested into keys of tasks.
    private enum CodingKeys: String, CodingKey {
        case frames
        case progress = "ways"
    }

    package init(frames: [Int64], progress: [Int64]) {
        self.frames = frames
        self.progress = progress
    }

    /// The progress over one frame at speed 1, in millionths.
    package static let unit: Int64 = 1_000_000

    /// The progress at `frame`. Between two given frames it is linear, rounded down; past the last one it goes on in
    /// the same direction.
    package func progress(at frame: Int64) -> Int64 {
        let next = min(max(frames.partitionPoint { $0 > frame }, 1), frames.count - 1)
        guard frames.count > 1 else { return progress.first ?? 0 }
        let (first, last) = (frames[next - 1], frames[next])
        let rise = Int128(progress[next] - progress[next - 1]) * Int128(frame - first)
        // The result is within the bounds that isSound checks, so it fits.
        return progress[next - 1] + Int64(clamping: Rounding.down.divide(rise, by: Int128(last - first)).value)
    }

    /// The rest of the curve from `frame` on, with frames and progress counted from there.
    package func advanced(by frame: Int64) -> RetimeCurve {
        guard frame != 0 else { return self }
        let passed = progress(at: frame)
        let rest = frames.partitionPoint { $0 > frame }
        // The slope past the last given frame is part of the curve.
        guard rest < frames.count else {
            let slope = self.progress(at: frame + 1) - passed
            return slope == 0 || frames.count < 2
                ? RetimeCurve(frames: [0], progress: [0]) : .init(frames: [0, 1], progress: [0, slope])
        }
        return RetimeCurve(
            frames: [0] + frames[rest...].map { $0 - frame },
            progress: [0] + progress[rest...].map { $0 - passed }
        )
    }

    /// The part of the curve that decides about the frames from 0 up to `count`, which is above 0; the progress at
    /// `count` is part of it.
    package func trimmed(to count: Int64) -> RetimeCurve {
        let last = frames.partitionPoint { $0 >= count }
        guard last + 1 < frames.count else { return self }
        return RetimeCurve(frames: Array(frames[...last]), progress: Array(progress[...last]))
    }

    /// Whether the numbers are in order and small enough to compute with over `count` frames, also past the last given
    /// frame. Between two given frames the progress per frame must be whole, so that a curve that is cut goes on as it
    /// was.
    func isSound(over count: Int64) -> Bool {
        guard !frames.isEmpty, frames.count == progress.count, frames[0] == 0, progress[0] == 0,
            zip(frames, frames.dropFirst()).allSatisfy({ $0 < $1 }), let last = frames.last, last <= count,
            progress.allSatisfy(RetimeCurve.bounds.contains)
        else { return false }
        return frames.indices.dropFirst().allSatisfy { index in
            (progress[index] - progress[index - 1]).isMultiple(of: frames[index] - frames[index - 1])
        } && RetimeCurve.bounds.contains(end(after: count - last))
    }

    private static let bounds: ClosedRange<Int64> = {
        let most = Limits.longestSeconds * 1000 * 20 * RetimeCurve.unit
        return -most...most
    }()

    /// The progress `count` frames after the last given one; a value beyond all bounds when it does not fit.
    private func end(after count: Int64) -> Int64 {
        guard frames.count > 1, let passed = progress.last, let frame = frames.last else { return progress.last ?? 0 }
        let (before, start) = (progress[progress.count - 2], frames[frames.count - 2])
        let slope = Int128(passed - before) / Int128(frame - start)
        return Int64(clamping: Int128(passed) + slope * Int128(count))
    }

    /// The least and the greatest source time at the given frames, in seconds, in this order.
    /// - Throws: ``TimeError/overflow`` when a time does not fit.
    package func ends(from start: RationalTime, frameDuration: RationalTime) throws(TimeError) -> [RationalTime] {
        var ends: [RationalTime] = []
        for passed in [progress.min() ?? 0, progress.max() ?? 0] {
            ends.append(try start.adding(RationalTime(passed, RetimeCurve.unit).multiplied(by: frameDuration)))
        }
        return ends
    }
}

extension RationalTime {
    /// The source time `frames` frames after this one, at a speed or along a curve that begins here. A curve takes the
    /// place of `speed`.
    /// - Throws: ``TimeError/overflow`` when the time does not fit.
    package func advanced(
        by frames: Int64,
        of frameDuration: RationalTime,
        speed: RationalTime?,
        curve: RetimeCurve?
    ) throws(TimeError) -> RationalTime {
        guard let curve else { return try advanced(by: frames, of: frameDuration, speed: speed) }
        return try adding(RationalTime(curve.progress(at: frames), RetimeCurve.unit).multiplied(by: frameDuration))
    }
}
