/// Waits until `condition` holds, for as long as that takes: a test that waits for ever names what it waited for in its
/// stack, and no slow machine makes it fail.
/// - Throws: The error that `condition` throws; `CancellationError`.
package func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
