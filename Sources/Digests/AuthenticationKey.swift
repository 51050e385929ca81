import CLibCrypto
package import Foundation

/// A secret that signs: HMAC with SHA-256 (RFC 2104). Its bytes are overwritten when nobody refers to it any more.
package final class AuthenticationKey: Sendable {
    /// Written by `init` only.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter secret: any number of bytes; they are copied.
    package init(_ secret: some DataProtocol) {
        bytes = .allocate(byteCount: secret.count, alignment: 1)
        secret.copyBytes(to: bytes)
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    /// The authentication code of `message`: 32 bytes.
    package func code(for message: Data) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { code, count in
            let made = message.withUnsafeBytes { message in
                cut_crypto_hmac_sha256(
                    Algorithms.library,
                    bytes.baseAddress,
                    bytes.count,
                    message.baseAddress,
                    message.count,
                    code.baseAddress
                )
            }
            precondition(made == 1, "libcrypto computes no HMAC with SHA-256.")
            count = SHA256.byteCount
        }
    }
}
