import Synchronization

/// Values that one task makes and another takes in batches: as many as a batch may have, or those that are there when the
/// making is about to take long.
final class Gathering<Element: Sendable>: Sendable {
    private struct State {
        var elements: [(value: Element, weight: Int)] = []
        var weight = 0
        var isReleased = false
        var isFinished = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let mostElements: Int
    private let mostWeight: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - mostElements: the most elements of a batch, ≥ 1.
    ///   - mostWeight: the most that they weigh together, unless one alone weighs more.
    init(mostElements: Int, mostWeight: Int) {
        (self.mostElements, self.mostWeight) = (mostElements, mostWeight)
    }

    func add(_ element: Element, weight: Int) {
        change {
            $0.elements.append((element, weight))
            $0.weight += weight
        }
    }

    /// Lets go what is there now, without waiting for a whole batch.
    func release() { change { $0.isReleased = !$0.elements.isEmpty } }

    /// Says that nothing more will come.
    func finish() { change { $0.isFinished = true } }

    /// Waits until a batch is whole or let go. One task takes at a time.
    /// - Returns: the batch, in the order in which its elements came; empty when nothing more will come.
    func next() async -> [Element] {
        while true {
            if let batch = takeIfReady() { return batch }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state -> Bool in
                    if isReady(state) { return true }
                    state.waiting = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }

    /// The batch that ``next()`` would not wait for; nil when it would.
    func takeIfReady() -> [Element]? { state.withLock { isReady($0) ? take(&$0) : nil } }

    /// Whether somebody waits.
    var isAwaited: Bool { state.withLock { $0.waiting != nil } }

    private func change(_ body: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            body(&state)
            return isReady(state) ? state.waiting.take() : nil
        }
        waiting?.resume()
    }

    private func isReady(_ state: State) -> Bool {
        state.isFinished || state.isReleased && !state.elements.isEmpty || state.elements.count >= mostElements
            || state.weight >= mostWeight
    }

    private func take(_ state: inout State) -> [Element] {
        var weight = 0
        var count = 0
        for element in state.elements.prefix(mostElements) {
            guard count == 0 || weight + element.weight <= mostWeight else { break }
            weight += element.weight
            count += 1
        }
        // No slice of the array lives when it is shortened: all its elements would be copied.
        let taken = state.elements.prefix(count).map(\.value)
        state.elements.removeFirst(count)
        state.weight -= weight
        if state.elements.isEmpty { state.isReleased = false }
        return taken
    }
}
