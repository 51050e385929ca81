import Digests
import Foundation
import WireProtocol

/// Signatures as Standard Webhooks has them (standard-webhooks.com, “Signature scheme”): HMAC-SHA256 of the message's
/// identifier, the time and the body.
enum WebhookSignature {
    /// The bytes of a secret.
    static let secretByteCount = 32
    /// The beginning of a secret in text.
    static let secretPrefix = "whsec_"

    /// The value of `webhook-signature`: one `v1,` and base64 for each secret, with spaces between them.
    /// - Parameter seconds: the time of the attempt, since 1970.
    static func header(_ message: WebhookMessageID, seconds: Int64, body: String, secrets: [Data]) -> String {
        secrets.map { "v1," + code("\(message).\(seconds).\(body)", $0) }.joined(separator: " ")
    }

    /// The authentication code of a text, as base64.
    static func code(_ text: String, _ secret: Data) -> String {
        Data(AuthenticationKey(secret).code(for: Data(text.utf8))).base64EncodedString()
    }

    /// Draws a secret.
    static func draw() -> Data { Data((0..<secretByteCount).map { _ in UInt8.random(in: .min ... .max) }) }

    /// A secret as people see it.
    static func text(_ secret: Data) -> String { secretPrefix + secret.base64EncodedString() }
}
