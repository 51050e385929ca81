import NIOCore
import WireProtocol

extension KnownTokens {
    /// The principal that presents `secret` with a request.
    /// - Throws: status 401 for a token that is unknown or no longer valid; `FarmStoreError` when the database does not
    ///   answer.
    func principal(presenting secret: String, from context: FarmRequestContext) async throws -> Principal {
        switch try await present(secret, from: context.channel.remoteAddress?.ipAddress ?? "") {
        case .valid(let principal): return principal
        case .over(let sentence): throw Problem.tokenOver(sentence)
        case .unknown: throw Problem.unauthorized
        }
    }
}
