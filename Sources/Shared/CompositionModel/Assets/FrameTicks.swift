import Timing

/// Finds the frame on screen in a stream of variable rate, from the times of its frames in whole ticks, ascending.
///
/// A container rounds times to its ticks, which last a millisecond in Matroska: it states 67 ms for the third frame at
/// 30 frames per second, a third of a millisecond too late. So a frame counts as reached less than a tick before its
/// stated time, and a time that is a whole number of ticks means exactly that tick:
/// ```
/// ticks         65    66    67    68
/// frames        ──── 1 ─────┤ 2 ──────
/// time                  ▲              shows 2: less than a tick away
/// ```
/// Where frames are nearer to each other than ``leastGap``, a tick is no rounding error, and times are taken as stated.
package struct FrameTicks {
    /// The least distance in ticks between a frame and the next for the next to count as reached early.
    static let leastGap: Int64 = 3

    private let ticks: [Int64]

    package init(_ ticks: [Int64]) { self.ticks = ticks }

    /// The index of the frame on screen.
    /// - Parameters:
    ///   - tick: The time in ticks, rounded down.
    ///   - isExact: Whether the time is a whole number of ticks.
    /// - Returns: nil before the first frame; the last frame for every later time.
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
