import CLibCrypto

/// What is fetched from libcrypto once, because a fetch takes longer than hashing a small piece (crypto(7),
/// "Performance"). Neither changed nor freed afterwards, so that threads share it.
enum Algorithms {
    /// A library context of our own: openssl.cnf configures the default one only, so that whatever an administrator
    /// takes out of that, SHA-256 stays.
    nonisolated(unsafe) static let library = OSSL_LIB_CTX_new()
    nonisolated(unsafe) static let sha256 = EVP_MD_fetch(library, "SHA256", nil)
}
