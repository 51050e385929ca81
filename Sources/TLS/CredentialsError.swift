/// Why a server cannot use its certificate or private key.
public struct CredentialsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence that names the file.
    public let description: String

    init(_ description: String) { self.description = description }
}
