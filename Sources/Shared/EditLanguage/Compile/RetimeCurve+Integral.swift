import CompositionModel
import Timing

extension RetimeCurve {
    /// The integral of a speed over the frames `0 ..< count`.
    ///
    /// Where the speed stays, the source moves by a whole number of millionths a frame, which is added as such; where it changes, a
    /// frame is summed by Simpson's rule over 16 parts, and the remainder is carried on. Only + − × ÷ and
    /// ``ExactMath``: the same on every machine.
    /// - Parameters:
    ///   - speed: one number, source seconds for a second of the timeline; times from frame 0.
    ///   - source: numbers that lie in the source: the curve ends with the first number that does not.
    ///   - steps: how many numbers may still be computed; what was computed is taken off.
    /// - Returns: nil when there are not enough steps.
    init?(
        integral speed: AnimatedProperty,
        count: Int64,
        frameDuration: RationalTime,
        within source: ClosedRange<Int64>,
        steps: inout Int
    ) throws(TimeError) {
        var given = GivenProgress()
        var (whole, rest) = (Int64(0), 0.0)
        var frame: Int64 = 0
        while frame < count - 1, source.contains(given.progress[given.progress.count - 1]) {
            guard steps > 0, WorkMeter.step() else { return nil }
            steps -= 1
            let start = try RationalTime(frame, of: frameDuration)
            let steady = try speed.steadyFrames(from: frame, to: count - 1, frameDuration: frameDuration)
            guard steady == 0 else {
                whole += steady * speed.millionths(at: start)
                frame += steady
                given.append(frame, whole + Int64(rest.rounded()))
                continue
            }
            rest += try speed.integral(from: start, frameDuration: frameDuration)
            frame += 1
            given.append(frame, whole + Int64(rest.rounded()))
        }
        self.init(frames: given.frames, progress: given.progress)
    }
}

/// The numbers of a curve while it is computed.
private struct GivenProgress {
    private(set) var frames: [Int64] = [0]
    private(set) var progress: [Int64] = [0]

    /// Adds a number, and takes the one before away where it lies on the line.
    mutating func append(_ frame: Int64, _ passed: Int64) {
        if let last = frames.indices.last, last > 0 {
            let (before, here) = (frames[last] - frames[last - 1], frame - frames[last])
            let (rise, next) = (progress[last] - progress[last - 1], passed - progress[last])
            if Int128(rise) * Int128(here) == Int128(next) * Int128(before) {
                frames.removeLast()
                progress.removeLast()
            }
        }
        frames.append(frame)
        progress.append(passed)
    }
}

/// How long a speed stays what it is.
private enum SteadySpeedSpan {
    case none, forGood
    case until(RationalTime)
}

extension AnimatedProperty {
    /// The number of whole frames from `frame` on, to `last` at most, over which the speed stays.
    func steadyFrames(from frame: Int64, to last: Int64, frameDuration: RationalTime) throws(TimeError) -> Int64 {
        switch constancy(at: try RationalTime(frame, of: frameDuration)) {
        case .none: 0
        case .until(let end): min(last, try end.count(of: frameDuration, rounding: .down).value) - frame
        case .forGood: last - frame
        }
    }

    private func constancy(at time: RationalTime) -> SteadySpeedSpan {
        let next = keys.partitionPoint { $0.at > time }
        guard next < keys.count else { return .forGood }
        guard next > 0 else { return .until(keys[next].at) }
        let stays = keys[next - 1].ease == .hold || keys[next - 1].value == keys[next].value
        return stays ? .until(keys[next].at) : .none
    }

    /// The key's own number, where it stays.
    func millionths(at time: RationalTime) -> Int64 {
        let next = keys.partitionPoint { $0.at > time }
        return keys[max(0, next - 1)].value.first ?? 0
    }

    /// The integral over one frame, in millionths of the frame.
    fileprivate func integral(from start: RationalTime, frameDuration: RationalTime) throws(TimeError) -> Double {
        var sum = 0.0
        for piece in try pieces(of: start, frameDuration: frameDuration) {
            sum += try means(from: piece.start, to: piece.end, groups: 1)[0] * piece.share
        }
        return sum * 1_000_000
    }

    /// The parts of the frame that begins at `start`, which end where keys are, each with its share of the frame.
    func pieces(
        of start: RationalTime,
        frameDuration: RationalTime
    ) throws(TimeError) -> [(start: RationalTime, end: RationalTime, share: Double)] {
        let end = try start.adding(frameDuration)
        let inner = keys[keys.partitionPoint { $0.at > start }...].prefix { $0.at < end }.map(\.at)
        var pieces: [(start: RationalTime, end: RationalTime, share: Double)] = []
        for (low, high) in zip([start] + inner, inner + [end]) where low < high {
            pieces.append((low, high, try high.subtracting(low).divided(by: frameDuration).approximateSeconds))
        }
        return pieces
    }

    /// The integrals from `low` up to the end of each of `groups` equal parts of the time to `high`, as shares of that
    /// time, by Simpson's rule over 16 parts; the last one is the mean. No key lies between the two times.
    /// - Parameter groups: 1, 2, 4 or 8.
    func means(from low: RationalTime, to high: RationalTime, groups: Int) throws(TimeError) -> [Double] {
        let next = keys.partitionPoint { $0.at > low }
        guard next > 0, next < keys.count, keys[next - 1].ease != .hold else {
            let value = first(at: low) ?? 0
            return (1...groups).map { $0 == groups ? value : value * Double($0) / Double(groups) }
        }
        let parts: Int64 = 16
        let step = try high.subtracting(low).divided(by: RationalTime(whole: parts))
        var sum = 0.0
        var means: [Double] = []
        for part in 0...parts {
            // The end belongs to this key's curve, also where the next one jumps.
            let time = try low.adding(RationalTime(part, of: step))
            let value = part == parts ? limit(of: next, at: time) : first(at: time) ?? 0
            let isEnd = part > 0 && (part * Int64(groups)).isMultiple(of: parts)
            if isEnd { means.append((sum + value) / Double(3 * parts)) }
            sum += (part == 0 ? 1 : part % 2 == 1 ? 4 : 2) * value
        }
        return means
    }

    /// The first number at `time` on the curve to key `next`.
    private func limit(of next: Int, at time: RationalTime) -> Double {
        guard time == keys[next].at else { return first(at: time) ?? 0 }
        return Double(keys[next].value.first ?? 0) / 1_000_000
    }
}
