/// Why a server cannot use its certificate or private key.
package struct CredentialsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence that names the file.
    package let description: String

    init(_ description: String) { self.description = description }
}
