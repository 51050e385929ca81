import Crypto
import Foundation

/// Text that must not be seen: it prints as dots, also inside other values.
public struct Secret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// To be said only where it is meant to be used.
    public let revealed: String

    public init(_ revealed: String) { self.revealed = revealed }

    /// 32 random bytes in hex, as new tokens are.
    public static func random() -> Secret {
        Secret(SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.hex)
    }

    public var description: String { "••••••" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Sequence where Element == UInt8 {
    /// Two lower-case digits a byte.
    var hex: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
