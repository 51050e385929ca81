import Farm

/// What is going to happen, earliest first; at one instant in the order it was scheduled. A binary heap.
struct EventQueue<Event> {
    private struct Entry {
        let time: Int64
        let sequence: Int
        let event: Event

        func precedes(_ other: Entry) -> Bool {
            time != other.time ? time < other.time : sequence < other.sequence
        }
    }

    private var heap: [Entry] = []
    private var sequence = 0

    mutating func schedule(_ event: Event, at time: Int64) {
        sequence += 1
        heap.append(Entry(time: time, sequence: sequence, event: event))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func next() -> (time: Int64, event: Event)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.time, first.event)
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].precedes(heap[least])
            {
                least = child
            }
            if least == parent { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
