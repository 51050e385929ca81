/// Streams that several tests use, each encoded once.
actor StreamCache {
    static let shared = StreamCache()

    private var streams: [String: Task<[UInt8], any Error>] = [:]

    func stream(_ name: String, make: @escaping @Sendable () async throws -> [UInt8]) async throws -> [UInt8] {
        let task = streams[name] ?? Task { try await make() }
        streams[name] = task
        return try await task.value
    }
}
