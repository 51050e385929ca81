import CLibCrypto

/// The state of one SHA-256 in libcrypto, of which it is the owner.
///
/// libcrypto's calls fail without memory or without the algorithm only; the default provider, which has it, is part of
/// the library (provider-default(7)). So they are checked as invariants.
final class DigestContext {
    private let raw: OpaquePointer?

    /// The state before the first byte.
    init() {
        raw = EVP_MD_CTX_new()
        check(EVP_DigestInit_ex2(raw, Algorithms.sha256, nil))
    }

    /// The state of `other`, which both go on from.
    init(copying other: DigestContext) {
        raw = EVP_MD_CTX_new()
        check(EVP_MD_CTX_copy_ex(raw, other.raw))
    }

    deinit { EVP_MD_CTX_free(raw) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        check(EVP_DigestUpdate(raw, bytes.baseAddress, bytes.count))
    }

    /// The digest, 32 bytes. Nothing can be appended afterwards.
    func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { bytes, count in
            check(EVP_DigestFinal_ex(raw, bytes.baseAddress, nil))
            count = SHA256.byteCount
        }
    }

    private func check(_ result: Int32) {
        precondition(result == 1, "libcrypto computes no SHA-256.")
    }
}
