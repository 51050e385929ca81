/// Values that several tests use, each made by the first that asks for it.
actor MadeOnce<Value: Sendable> {
    private var made: [String: Task<Value, any Error>] = [:]

    func value(_ name: String, make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = made[name] ?? Task { try await make() }
        made[name] = task
        return try await task.value
    }
}
