import Testing

@testable import CLI

@Suite struct JointWorkTests {
    private struct Failed: Error {}

    /// The other one would go on for ever.
    @Test func theFailureOfOneEndsTheOther() async {
        let never: @Sendable () async throws -> Void = { for await _ in AsyncStream<Never>.makeStream().stream {} }
        await #expect(throws: Failed.self) { try await JointWork.run(never) { throw Failed() } }
        await #expect(throws: Failed.self) {
            try await JointWork.run {
                throw Failed()
            } _: {
                try await never()
            }
        }
    }

    @Test func bothAreAwaited() async throws {
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        let found = AsyncStream.makeStream(of: Int.self)
        try await JointWork.run {
            for await number in numbers { found.continuation.yield(number) }
            found.continuation.finish()
        } _: {
            for number in 1...3 { continuation.yield(number) }
            continuation.finish()
        }
        var all: [Int] = []
        for await number in found.stream { all.append(number) }
        #expect(all == [1, 2, 3])
    }
}
