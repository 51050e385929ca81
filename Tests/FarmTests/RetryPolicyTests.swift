import Testing

@testable import Farm

@Suite struct RetryPolicyTests {
    @Test(arguments: [(0, 0), (1, 500), (2, 1000), (6, 16_000), (7, 30_000), (60, 30_000)])
    func delayDoublesUpToTheLongest(failures: Int, milliseconds: Int64) {
        #expect(RetryPolicy().delay(afterFailures: failures) == milliseconds)
    }
}
