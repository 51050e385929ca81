/// The events that are shown at a time, and the others that they give way to.
///
/// libass keeps an event where it first put it, also when the one that it had to avoid is over. So that a frame depends
/// on its time alone, the places of what is shown are found anew for each: from the first event of an unbroken chain of
/// events that overlap in time, one beginning after another.
struct CueOrder {
    struct Event {
        /// Milliseconds; shown in [start, end).
        var start: Int64
        var end: Int64
        /// It has a place of its own, which no other event changes.
        var isPlaced: Bool
        /// It changes while it is shown.
        var moves: Bool
    }

    /// Longer chains begin this many beginnings before the frame.
    static let mostSteps = 24

    private let events: [Event]
    /// Numbers of events in the order of their starts.
    private let order: [Int]
    /// The latest end of the events of `order` up to each.
    private let ends: [Int64]

    init(_ events: [Event]) {
        self.events = events
        order = events.indices.filter { events[$0].start < events[$0].end }
            .sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        var (ends, latest): ([Int64], Int64) = ([], .min)
        for event in order {
            latest = max(latest, events[event].end)
            ends.append(latest)
        }
        self.ends = ends
    }

    /// Numbers of the events that are shown at `time`, in the order of their starts.
    func shown(at time: Int64) -> [Int] {
        var place = firstIndex { events[$0].start > time }
        var shown: [Int] = []
        while place > 0, ends[place - 1] > time {
            place -= 1
            if events[order[place]].end > time { shown.append(order[place]) }
        }
        return shown.reversed()
    }

    /// Times before `time` at which something began that what is shown may have to avoid, ascending.
    func steps(to time: Int64) -> [Int64] {
        let placed = shown(at: time).filter { !events[$0].isPlaced }
        guard placed.count > 0, var first = placed.map({ events[$0].start }).min() else { return [] }
        while let earlier = shown(at: first).filter({ !events[$0].isPlaced }).map({ events[$0].start }).min(),
            earlier < first
        {
            first = earlier
        }
        let starts = order[firstIndex { events[$0].start >= first }..<firstIndex { events[$0].start > time }]
            .filter { !events[$0].isPlaced }.map { events[$0].start }
        let times = Set(starts).sorted()
        // All began together: the frame itself places them.
        return times.count < 2 ? [] : Array(times.suffix(CueOrder.mostSteps)).filter { $0 < time }
    }

    /// Whether the picture is the same at all times at which the same events are shown.
    func isStill(_ shown: [Int]) -> Bool { !shown.contains { events[$0].moves } }

    private func firstIndex(where isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(order[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
