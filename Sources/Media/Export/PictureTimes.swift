import CompositionModel

/// The times of the packets of a cut, in ticks of its stream's ``PictureClock``, in decode order.
///
/// Decode times are the presentation times in ascending order, all earlier by as much as the picture that is reordered
/// furthest needs:
///
/// ```
/// pts                 0   4   2   1   3
/// sorted              0   1   2   3   4
/// dts = sorted − 2   −2  −1   0   1   2        2 = the most that a pts lies before its place
/// ```
struct PictureTimes {
    struct Entry {
        var pts: Int64
        /// The place of the picture among the presentation times in order: its dts before the delay.
        var order: Int64
        /// Ticks to the next picture in order of presentation.
        var duration: Int64
    }

    /// By packet number; packets that are left out have none.
    let entries: [Int: Entry]
    /// Ticks by which the dts must lie before ``Entry/order``.
    let delay: Int64

    /// - Parameter end: the tick at which the last presented picture ends.
    /// - Throws: ``MediaError/needsEncoding(_:)`` for two pictures with one time.
    init(_ cut: PictureCut, _ index: FrameIndex, _ clock: PictureClock, end: Int64) throws(MediaError) {
        let packets = cut.packets.filter { !cut.skipped.contains($0) }
        let times = packets.map { clock.ticks(index.packets[$0].pts) }
        let order = times.sorted()
        guard zip(order, order.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .needsEncoding("several of its pictures have one time")
        }
        var durations: [Int64: Int64] = [:]
        for (time, next) in zip(order, order.dropFirst()) { durations[time] = next - time }
        if let last = order.last { durations[last] = max(1, end - last) }
        var (entries, delay): ([Int: Entry], Int64) = ([:], 0)
        for (place, packet) in packets.enumerated() {
            delay = max(delay, order[place] - times[place])
            entries[packet] = Entry(pts: times[place], order: order[place], duration: durations[times[place]] ?? 1)
        }
        (self.entries, self.delay) = (entries, delay)
    }
}
