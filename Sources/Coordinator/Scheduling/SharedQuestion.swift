/// A question that many ask and that costs something, such as a list that every open page shows. One answer is under way at
/// a time; those who ask meanwhile share the next one, which begins after they asked: nobody gets an answer from before.
actor SharedQuestion<Answer: Sendable> {
    private let ask: @Sendable () async throws -> Answer
    /// The answer that began last.
    private var begun: Task<Answer, any Error>?
    /// The answer that begins when that one has ended.
    private var next: Task<Answer, any Error>?
    /// The number of those who have asked so far.
    private(set) var askers = 0

    /// - Parameter ask: finds the answer.
    init(_ ask: @escaping @Sendable () async throws -> Answer) { self.ask = ask }

    /// An answer that begins now or later.
    /// - Throws: the error of the question.
    func answer() async throws -> Answer {
        askers += 1
        if let next { return try await next.value }
        let task = Task { [before = begun] in
            _ = await before?.result
            begin()
            return try await ask()
        }
        next = task
        return try await task.value
    }

    private func begin() { (begun, next) = (next, nil) }
}
