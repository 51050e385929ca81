import Farm
import Foundation
import WireProtocol

/// Where tokens are kept that were made by command, with the digests of their secrets. Every operation that changes one
/// notes in the log who asked for it, in the same transaction.
protocol TokenStore: Sendable {
    /// Keeps a new token.
    func createToken(_ token: DrawnToken, by principal: Principal) async throws(FarmStoreError) -> TokenView

    /// Gives a token a new secret.
    /// - Parameters:
    ///   - digest: the SHA-256 of the new secret.
    ///   - overlapMilliseconds: how long the secrets before stay valid, unless they end earlier.
    /// - Returns: nil for a token that is unknown or no longer valid.
    func rotateToken(
        _ id: TokenID,
        to digest: Data,
        overlapMilliseconds: Int64,
        by principal: Principal
    ) async throws(FarmStoreError) -> TokenView?

    /// Ends a token now. One that was revoked before stays as it is.
    /// - Returns: nil for an unknown one.
    func revokeToken(_ id: TokenID, by principal: Principal) async throws(FarmStoreError) -> TokenView?

    /// All tokens, also those that are no longer valid, the newest first.
    func tokens() async throws(FarmStoreError) -> [TokenView]

    /// The last lines of the log, the newest first.
    /// - Parameter token: that of all lines; nil for every token.
    func tokenLog(of token: TokenID?, limit: Int) async throws(FarmStoreError) -> [TokenLogLine]

    /// Looks up a secret that somebody presents, and notes that.
    /// - Parameter address: from where it was presented.
    func presentToken(_ digest: Data, from address: String) async throws(FarmStoreError) -> PresentedToken

    /// Whether the secret of this number, and its token, are valid now.
    func isValidSecret(_ number: Int64) async throws(FarmStoreError) -> Bool
}

/// A token to be kept.
struct DrawnToken: Sendable {
    let name: String
    let owner: String
    let scopes: Set<Scope>
    /// The SHA-256 of its secret.
    let digest: Data
    /// How long it is valid; nil for no end.
    let milliseconds: Int64?
}

/// What a secret opens.
enum PresentedToken: Sendable, Hashable {
    case unknown
    case valid(Principal)
    /// It was valid once. The sentence says what became of it.
    case over(String)
}
