/// Lets a limited number of tasks through at a time; the others wait in the order in which they came.
actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Makes a gate.
    /// - Parameter places: the number of tasks at a time, at least 1.
    init(places: Int) { free = places }

    /// Waits for a place and runs `body`.
    /// - Throws: The error that `body` throws; `CancellationError` when the task was cancelled while it waited.
    func pass<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await enter()
        defer { leave() }
        try Task.checkCancellation()
        return try await body()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
