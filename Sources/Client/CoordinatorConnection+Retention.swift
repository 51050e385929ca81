package import WireProtocol

extension CoordinatorConnection {
    /// Removes finished movies and unused assets beyond what is kept, or says what would go.
    /// - Returns: what went, at most ``RetentionReport/largest`` movies and as many assets.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func apply(_ order: RetentionOrder) async throws(ClientError) -> RetentionReport {
        try await post("/v1/retention:apply", order, timeout: .seconds(600), returning: RetentionReport.self)
    }
}
