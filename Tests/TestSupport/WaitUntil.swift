/// Waits until `condition` holds, for as long as that takes: a test that waits for ever names what it waited for in its
/// stack, and no slow machine makes it fail.
/// - Throws: The error that `condition` throws; `CancellationError`.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

/// Waits for what never comes, until the task is cancelled.
package func untilCancelled() async { try? await TestClock().sleep(for: .seconds(1)) }
