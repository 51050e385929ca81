import Digests
package import Foundation
import Synchronization

/// Links that sign a browser in once, instead of a token that somebody would have to copy. They live in this process
/// only, by their SHA-256, for ten minutes.
package final class SignInLinks: Sendable {
    /// The seconds for which a link can be used.
    package static let lifetimeSeconds: Int64 = 600
    /// The path before a link's code.
    static let path = "/signin/"

    private struct Entry {
        let principal: Principal
        let expires: Int64
    }

    private let principal: Principal?
    private let now: @Sendable () -> Date
    private let entries = Mutex<[Data: Entry]>([:])

    /// Prepares links for whoever of the token file may do most beside being a worker; of several, the first.
    /// - Parameter now: the time of day, by which links end.
    package init(tokens: TokenBook, now: @escaping @Sendable () -> Date = { Date() }) {
        let principals = tokens.entries.map(\.principal)
        principal =
            [Scope.admin, .submit, .view].lazy.compactMap { scope in
                principals.first { $0.may(scope) }
            }.first
        self.now = now
    }

    /// Makes a link.
    /// - Returns: the path of the address that signs in, with 256 random bits; nil when no token may look at jobs.
    package func make() -> String? {
        guard let principal else { return nil }
        var generator = SystemRandomNumberGenerator()
        let code = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }.hex
        let entry = Entry(principal: principal, expires: Int64(now().timeIntervalSince1970) + Self.lifetimeSeconds)
        entries.withLock { $0[code.sha256] = entry }
        return Self.path + code
    }

    /// Uses a link up.
    /// - Returns: whom it signs in; nil for a code that is unknown, was used, or is too old.
    func use(_ code: String) -> Principal? {
        let seconds = Int64(now().timeIntervalSince1970)
        return entries.withLock { entries in
            entries = entries.filter { $0.value.expires > seconds }
            return entries.removeValue(forKey: code.sha256)?.principal
        }
    }
}
