package import Timing

/// The progress of a source at each frame of a timeline, where its speed changes.
///
/// Whole numbers decide everything: progress is in millionths of the edit's frame duration, counted from the source's
/// start.
/// ```
/// frames    0    10   11   12   13    50      one number for each frame where the speed changes,
/// progress  0    10   11.2 12.9 15.1  126.1   the ends alone where it stays (× 10⁶)
/// ```
package struct RetimeCurve: Sendable {
    /// The given frames and the progress there as the whole curve has them, without those before this part of it. All
    /// parts of a curve share them: a curve is divided wherever any track has a cut.
    private var givenFrames: ArraySlice<Int64>
    private var givenProgress: ArraySlice<Int64>
    /// Where this part begins in the whole curve.
    private var start: (frame: Int64, progress: Int64) = (0, 0)
    /// Whether the part begins between given frames: then its first frame is one too.
    private var beginsBetween = false

    /// - Parameters:
    ///   - frames: The frames of the timeline at which the progress is given, ascending from 0.
    ///   - progress: The progress at each of `frames`, from 0.
    package init(frames: [Int64], progress: [Int64]) {
        (givenFrames, givenProgress) = (frames[...], progress[...])
    }

    /// The frames of the timeline at which the progress is given, ascending from 0.
    package var frames: [Int64] { (beginsBetween ? [0] : []) + givenFrames.map { $0 - start.frame } }

    /// The progress at each of ``frames``, from 0.
    package var progress: [Int64] { (beginsBetween ? [0] : []) + givenProgress.map { $0 - start.progress } }

    /// The number of ``frames``.
    package var count: Int { givenFrames.count + (beginsBetween ? 1 : 0) }

    /// The progress over one frame at speed 1, in millionths.
    package static let unit: Int64 = 1_000_000

    /// One of ``frames`` with its progress.
    private func given(_ index: Int) -> (frame: Int64, progress: Int64) {
        if beginsBetween, index == 0 { return (0, 0) }
        let place = index - (beginsBetween ? 1 : 0)
        return (
            givenFrames[givenFrames.startIndex + place] - start.frame,
            givenProgress[givenProgress.startIndex + place] - start.progress
        )
    }

    /// The number of ``frames`` before `frame`, and `frame` itself where it is one and `included`.
    private func count(before frame: Int64, included: Bool = false) -> Int {
        let whole = frame + start.frame
        let place = givenFrames.partitionPoint { included ? $0 > whole : $0 >= whole }
        let isBehindStart = included ? frame >= 0 : frame > 0
        return place - givenFrames.startIndex + (beginsBetween && isBehindStart ? 1 : 0)
    }

    /// The progress at `frame`. Between two given frames it is linear, rounded down; past the last one it goes on in
    /// the same direction.
    package func progress(at frame: Int64) -> Int64 {
        guard count > 1 else { return progress.first ?? 0 }
        let next = min(max(count(before: frame, included: true), 1), count - 1)
        let (before, after) = (given(next - 1), given(next))
        let rise = Int128(after.progress - before.progress) * Int128(frame - before.frame)
        // The result is within the bounds that isSound checks, so it fits.
        let passed = Rounding.down.divide(rise, by: Int128(after.frame - before.frame)).value
        return before.progress + Int64(clamping: passed)
    }

    /// The rest of the curve from `frame` on, with frames and progress counted from there.
    package func advanced(by frame: Int64) -> RetimeCurve {
        guard frame != 0 else { return self }
        let passed = progress(at: frame)
        let whole = frame + start.frame
        let rest = givenFrames.partitionPoint { $0 > whole }
        // The slope past the last given frame is part of the curve.
        guard rest < givenFrames.endIndex else {
            let slope = self.progress(at: frame + 1) - passed
            return slope == 0 || count < 2
                ? RetimeCurve(frames: [0], progress: [0]) : .init(frames: [0, 1], progress: [0, slope])
        }
        var curve = self
        curve.givenFrames = givenFrames[rest...]
        curve.givenProgress = givenProgress[rest...]
        curve.start = (whole, passed + start.progress)
        curve.beginsBetween = true
        return curve
    }

    /// The part of the curve that decides about the frames from 0 up to `count`, which is above 0; the progress at
    /// `count` is part of it.
    package func trimmed(to count: Int64) -> RetimeCurve {
        let last = self.count(before: count)
        guard last + 1 < self.count else { return self }
        var curve = self
        let kept = last + (beginsBetween ? 0 : 1)
        curve.givenFrames = givenFrames.prefix(kept)
        curve.givenProgress = givenProgress.prefix(kept)
        return curve
    }

    /// Whether the numbers are in order and small enough to compute with over `count` frames, also past the last given
    /// frame. Between two given frames the progress per frame must be whole, so that a curve that is cut goes on as it
    /// was.
    func isSound(over count: Int64) -> Bool {
        let (frames, progress) = (frames, progress)
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
        let (frames, progress) = (frames, progress)
        guard frames.count > 1, let passed = progress.last, let frame = frames.last else { return progress.last ?? 0 }
        let (before, start) = (progress[progress.count - 2], frames[frames.count - 2])
        let slope = Int128(passed - before) / Int128(frame - start)
        return Int64(clamping: Int128(passed) + slope * Int128(count))
    }

    /// The least and the greatest source time at the given frames, in seconds, in this order.
    /// - Throws: ``TimeError/overflow`` when a time does not fit.
    package func ends(from start: RationalTime, frameDuration: RationalTime) throws(TimeError) -> [RationalTime] {
        var ends: [RationalTime] = []
        let progress = progress
        for passed in [progress.min() ?? 0, progress.max() ?? 0] {
            ends.append(try start.adding(RationalTime(passed, RetimeCurve.unit).multiplied(by: frameDuration)))
        }
        return ends
    }
}

extension RetimeCurve: Hashable {
    package static func == (left: RetimeCurve, right: RetimeCurve) -> Bool {
        // Parts of one curve, which are compared at every cut, are equal at a glance: they lie at one place in memory.
        if left.start == right.start, left.beginsBetween == right.beginsBetween {
            return left.givenFrames == right.givenFrames && left.givenProgress == right.givenProgress
        }
        return left.count == right.count && left.frames == right.frames && left.progress == right.progress
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(frames)
        hasher.combine(progress)
    }
}

extension RetimeCurve: Codable {
    /// The keys in JSON, which stay what they were: plans are stored and digested into keys of tasks.
    private enum CodingKeys: String, CodingKey {
        case frames
        case progress = "ways"
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(frames, forKey: .frames)
        try container.encode(progress, forKey: .progress)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            frames: try container.decode([Int64].self, forKey: .frames),
            progress: try container.decode([Int64].self, forKey: .progress)
        )
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
