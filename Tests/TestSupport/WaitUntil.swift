/// Waits until `condition` holds, for as long as that takes, so that no slow machine makes a test fail. A test that waits
/// for ever is named by `scripts/test-modules` when its module's time is over.
/// - Throws: The error that `condition` throws; `CancellationError`.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

/// Waits for what never comes, until the task is cancelled.
package func untilCancelled() async { try? await TestClock().sleep(for: .seconds(1)) }
