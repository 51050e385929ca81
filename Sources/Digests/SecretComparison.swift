import CLibCrypto
package import Foundation

/// Whether two values that must not be guessed are equal. The time it takes depends on their lengths only.
package func isEqualSecret(_ left: some ContiguousBytes, _ right: some ContiguousBytes) -> Bool {
    left.withUnsafeBytes { left in
        right.withUnsafeBytes { right in
            left.count == right.count && CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}
