import Timing

/// Times of the frames of a stream of variable rate, in whole ticks, ascending: which frame is on screen.
///
/// A container rounds times to its ticks, a millisecond in Matroska: the third frame of 30 a second is said to appear
/// at 67 ms, a third of a millisecond after it does. So a frame counts as reached when it appears less than a tick
/// later, and a time that is a whole number of ticks means exactly that tick:
/// ```
/// ticks         65    66    67    68
/// frames        ──── 1 ─────┤ 2 ──────
/// time                  ▲              shows 2: less than a tick away
/// ```
/// Where frames are nearer to each other than ``leastGap`` a tick is no rounding: then they are taken as they stand.
package struct FrameTicks {
    /// Ticks from a frame to one that may count as reached early.
    static let leastGap: Int64 = 3

    private let ticks: [Int64]

    package init(_ ticks: [Int64]) { self.ticks = ticks }

    /// - Parameters:
    ///   - tick: the time, rounded down.
    ///   - isExact: whether it needed no rounding.
    /// - Returns: nil before the first frame; the last one for every time behind it.
    package func frame(at tick: Int64, isExact: Bool) -> Int? {
        let next = ticks.partitionPoint { $0 > tick }
        guard next > 0 else { return nil }
        return !isExact && next < ticks.count && mayBeEarly(next) && ticks[next] - 1 == tick ? next : next - 1
    }

    /// Whether frame `number` counts as reached less than a tick before its time.
    package func mayBeEarly(_ number: Int) -> Bool {
        number > 0 && ticks[number] - ticks[number - 1] >= FrameTicks.leastGap
    }
}
