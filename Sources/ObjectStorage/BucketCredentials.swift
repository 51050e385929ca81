import Digests
import Foundation

/// The keys by which requests to a bucket are signed. Nothing that is printed of them shows the secret or the token.
package struct BucketCredentials: Sendable {
    /// The public part, which every signed request names.
    package let accessKey: String
    /// The token of temporary keys; nil for lasting ones.
    let sessionToken: String?
    private let secret: String

    /// Takes keys as a provider gives them.
    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        (self.accessKey, secret, self.sessionToken) = (accessKey, secretKey, sessionToken)
    }

    /// The key that signs the requests of a day to a region (Signature Version 4, "Calculate signature").
    /// - Parameter day: year, month and day without signs, of UTC.
    func signingKey(day: String, region: String) -> AuthenticationKey {
        [day, region, "s3", "aws4_request"].reduce(AuthenticationKey(Array("AWS4\(secret)".utf8))) { key, word in
            AuthenticationKey(key.code(for: Data(word.utf8)))
        }
    }
}

extension BucketCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The access key alone.
    package var description: String { "access key \(accessKey)" }
    /// The access key alone.
    package var debugDescription: String { description }
    /// The access key alone.
    package var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey]) }
}
