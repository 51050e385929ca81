import Client

/// Work on many things of which a limited number is under way at a time.
struct ParallelWork: Sendable {
    /// The number that is under way at a time, at least 1.
    let limit: Int

    /// Works on every item, and begins them in order.
    /// - Returns: The outcomes in the order of the items.
    /// - Throws: The first `ClientError` that `work` throws, which ends the rest; ``ClientError/cancelled``.
    func run<Item: Sendable, Outcome: Sendable>(
        _ items: [Item],
        _ work: @escaping @Sendable (Item) async throws -> Outcome
    ) async throws(ClientError) -> [Outcome] {
        do {
            return try await withThrowingTaskGroup(of: (Int, Outcome).self) { group in
                var outcomes = [Outcome?](repeating: nil, count: items.count)
                var begun = 0
                func begin() {
                    guard begun < items.count else { return }
                    let (index, item) = (begun, items[begun])
                    group.addTask { (index, try await work(item)) }
                    begun += 1
                }
                for _ in 0..<max(1, limit) { begin() }
                while let (index, outcome) = try await group.next() {
                    outcomes[index] = outcome
                    begin()
                }
                return outcomes.compactMap(\.self)
            }
        } catch let error as ClientError {
            throw error
        } catch {
            throw .cancelled
        }
    }
}
