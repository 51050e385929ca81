package import WireProtocol

extension CoordinatorConnection {
    /// The names on the blocklist, ascending.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func blockedWorkers() async throws(ClientError) -> [BlockedWorkerView] {
        try await get([BlockedWorkerView].self, "/v1/workers:blocked")
    }

    /// Lets workers of a name take nothing new.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func block(_ block: WorkerBlock) async throws(ClientError) -> BlockedWorkerView {
        try await post("/v1/workers:block", block, returning: BlockedWorkerView.self)
    }

    /// Lets workers of a name take work again.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 409 for a name that is not
    ///   blocked.
    package func unblock(_ name: WorkerUnblock) async throws(ClientError) {
        try await post("/v1/workers:unblock", name)
    }
}
