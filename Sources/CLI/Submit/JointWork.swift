/// Two works that go on at the same time and need each other: when one fails, nobody needs the other any more.
enum JointWork {
    /// Runs both until they have ended. The failure of one cancels the other, and is thrown once that has ended too.
    /// - Throws: the first failure.
    static func run(
        _ first: @escaping @Sendable () async throws -> Void,
        _ second: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await first() }
            group.addTask { try await second() }
            // `waitForAll` would wait for the other without cancelling it.
            while try await group.next() != nil {}
        }
    }
}
