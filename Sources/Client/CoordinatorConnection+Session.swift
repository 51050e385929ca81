import WireProtocol

/// Whom a token stands for.
package struct SignedIn: Sendable, Hashable, Decodable {
    /// The owner's name.
    package let owner: String
    /// The scopes, such as `view` and `submit`.
    package let scopes: [String]
}

extension CoordinatorConnection {
    /// Asks whom the connection's token stands for.
    /// - Throws: ``ClientError`` when the coordinator does not know the token, or cannot be reached.
    package func signedIn() async throws(ClientError) -> SignedIn {
        try await post("/v1/session", ["token": token.text], timeout: .seconds(20), returning: SignedIn.self)
    }
}
