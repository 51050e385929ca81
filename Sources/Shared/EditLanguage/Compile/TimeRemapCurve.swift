import CompositionModel
import Timing

/// The time-remap curve of a changing speed for sound, which is heard between the frames too: where the source is at
/// some times, and how fast it runs there. Between two of them the curve is a cubic.
/// ```
/// speed   ________╱‾‾‾‾‾‾‾‾       linear: a knot at each key, between them the curve is the integral exactly
/// knots   0      k  k              another ease: some in every frame, at its start what the frame shows
/// ```
struct TimeRemapCurve {
    struct Knot {
        /// Seconds from the segment's start.
        var at: RationalTime
        /// Where the source is, from the segment's start of it, in millionths of the edit's frame duration. It has two
        /// parts, as ``RetimeCurve`` adds them up.
        var whole: Int64
        var rest: Double
        /// Source seconds for a second of the timeline, in millionths.
        var speed: Int64
    }

    /// The knots in order of time, from 0. Two at one time are a jump of the speed.
    private(set) var knots: [Knot] = []

    /// - Parameters:
    ///   - speed: one number, source seconds for a second of the timeline; times from 0.
    ///   - length: at least as much is computed.
    ///   - steps: how many numbers of frames may still be computed; four knots count as one and are taken off.
    /// - Returns: nil when there are not enough steps.
    init?(
        integral speed: AnimatedProperty,
        length: RationalTime,
        frameDuration: RationalTime,
        steps: inout Int
    ) throws(TimeError) {
        let count = try length.count(of: frameDuration, rounding: .up).value
        let (few, many) = try (
            TimeRemapCurve.groups(40, in: frameDuration), TimeRemapCurve.groups(160, in: frameDuration)
        )
        var (whole, rest) = (Int64(0), 0.0)
        var frame: Int64 = 0
        turn(at: .zero, whole, rest, speed)
        while frame < count {
            guard knots.count / 4 < steps, WorkMeter.step() else { return nil }
            let start = try RationalTime(frame, of: frameDuration)
            let steady = try speed.steadyFrames(from: frame, to: count, frameDuration: frameDuration)
            guard steady == 0 else {
                whole += steady * speed.millionths(at: start)
                frame += steady
                turn(at: try RationalTime(frame, of: frameDuration), whole, rest, speed)
                continue
            }
            var passed = 0.0
            for piece in try speed.pieces(of: start, frameDuration: frameDuration) {
                let groups = speed.isSmooth(at: piece.start) ? few : many
                let sums = try speed.means(from: piece.start, to: piece.end, groups: groups)
                let part = try piece.end.subtracting(piece.start).divided(by: RationalTime(whole: Int64(groups)))
                for group in 1..<groups {
                    let at = try piece.start.adding(RationalTime(Int64(group), of: part))
                    turn(at: at, whole, rest + (passed + sums[group - 1] * piece.share) * 1_000_000, speed)
                }
                passed += sums[groups - 1] * piece.share
                turn(at: piece.end, whole, rest + passed * 1_000_000, speed)
            }
            rest += passed * 1_000_000
            frame += 1
        }
        steps -= (knots.count + 3) / 4
        let end = try RationalTime(count, of: frameDuration)
        guard let last = knots.last, last.at < end else { return }
        knots.append(Knot(at: end, whole: whole, rest: rest, speed: speed.speeds(at: end).before))
    }

    /// Adds the knots that are needed at a time: none within a straight line of the speed.
    private mutating func turn(at time: RationalTime, _ whole: Int64, _ rest: Double, _ speed: AnimatedProperty) {
        let found = speed.speeds(at: time)
        guard knots.isEmpty || !found.isStraight else { return }
        if !knots.isEmpty { knots.append(Knot(at: time, whole: whole, rest: rest, speed: found.before)) }
        guard knots.isEmpty || found.after != found.before else { return }
        knots.append(Knot(at: time, whole: whole, rest: rest, speed: found.after))
    }

    /// How many knots a frame has where the speed bends: 1, 2, 4 or 8, for at least `rate` a second up to 8 a frame.
    private static func groups(_ rate: Int64, in frameDuration: RationalTime) throws(TimeError) -> Int {
        let parts = try frameDuration.multiplied(by: RationalTime(whole: rate))
        return [1, 2, 4].first { RationalTime(whole: $0) >= parts }.map(Int.init) ?? 8
    }
}

extension AnimatedProperty {
    /// Whether the property bends so softly at `time` that a knot in 25 ms is enough.
    fileprivate func isSmooth(at time: RationalTime) -> Bool {
        let next = keys.partitionPoint { $0.at > time }
        guard next > 0 else { return true }
        switch keys[next - 1].ease {
        case .hold, .linear: return true
        case .curve(let curve, _): return [.sine, .quad, .cubic, .quart, .quint].contains(curve)
        default: return false
        }
    }

    /// The first number on both sides of `time`, and whether it only goes straight on there; in millionths.
    fileprivate func speeds(at time: RationalTime) -> (before: Int64, after: Int64, isStraight: Bool) {
        let next = keys.partitionPoint { $0.at > time }
        let first = keys.partitionPoint { $0.at >= time }
        let after = Int64(((self.first(at: time) ?? 0) * 1_000_000).rounded())
        guard first == next else {
            let key = keys[first > 0 && keys[first - 1].ease == .hold ? first - 1 : first]
            return (key.value.first ?? 0, after, false)
        }
        guard next > 0, next < keys.count else { return (after, after, true) }
        let isStraight = [.hold, .linear].contains(keys[next - 1].ease) || keys[next - 1].value == keys[next].value
        return (after, after, isStraight)
    }
}
