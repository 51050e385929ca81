import NIOPosix

/// Runs `work` on a thread that may block for a moment, such as to open a file or to read or write a megabyte. All
/// requests share these threads.
/// - Throws: The error that `work` throws.
func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive(work)
}

/// Runs `work` that reads whole files, for seconds or hours, on one of four threads of its own, so that no request
/// waits behind it.
/// - Throws: The error that `work` throws.
func readingWhole<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await readers.runIfActive(work)
}

/// Runs `work` that reads a whole part, for seconds, on a thread of its own: four sources that are read for hours would
/// keep every part waiting.
/// - Throws: The error that `work` throws.
func readingParts<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await partReaders.runIfActive(work)
}

/// Runs `work` that computes for seconds on one of two threads of its own, so that Swift's few cooperative threads stay
/// responsive.
/// - Throws: The error that `work` throws.
func computing<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await computers.runIfActive(work)
}

// The threads live as long as the process.
private let readers = started(4)
private let partReaders = started(1)
private let computers = started(2)

private func started(_ count: Int) -> NIOThreadPool {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
}
