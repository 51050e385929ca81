package import WireProtocol

/// Tokens that are made by command; all of it needs the scope `admin`.
extension CoordinatorConnection {
    /// The tokens, also those that are no longer valid, the newest first.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func tokens() async throws(ClientError) -> [TokenView] { try await get([TokenView].self, "/v1/tokens") }

    /// The last lines of the log of tokens, the newest first.
    /// - Parameters:
    ///   - token: that of all lines; nil for every token.
    ///   - limit: the most lines, from 1 to 1000.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func tokenLog(of token: TokenID?, limit: Int) async throws(ClientError) -> [TokenLogLine] {
        let only = token.map { "&token=\($0)" } ?? ""
        return try await get([TokenLogLine].self, "/v1/tokens:log?limit=\(limit)\(only)")
    }

    /// Makes a token.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached.
    package func createToken(_ order: TokenOrder) async throws(ClientError) -> TokenMade {
        try await post("/v1/tokens", order, returning: TokenMade.self)
    }

    /// Gives a token a new secret.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 409 for a token that is unknown
    ///   or no longer valid.
    package func rotate(_ token: TokenID, _ order: TokenRotation) async throws(ClientError) -> TokenMade {
        try await post("/v1/tokens/\(token)/rotate", order, returning: TokenMade.self)
    }

    /// Ends a token.
    /// - Throws: ``ClientError`` when the coordinator refuses or cannot be reached: status 404 for an unknown token.
    package func revoke(_ token: TokenID) async throws(ClientError) -> TokenView {
        try await post("/v1/tokens/\(token)/revoke", [String: String](), returning: TokenView.self)
    }
}
