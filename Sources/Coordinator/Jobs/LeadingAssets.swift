import CompositionModel
import Foundation

/// Finds the list of assets at the beginning of a composition as it is stored, so that the rest, which may be large, is
/// not read. Canonical JSON has its members in the order of their names, and `assets` comes first.
struct LeadingAssets {
    private static let beginning = Data(#"{"assets":"#.utf8)

    private var bytes = Data()
    private var position = LeadingAssets.beginning.count
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    /// The list as JSON, once its end was read.
    private(set) var list: Data?
    /// Whether more bytes are of no use: the list is complete, or the document does not begin with one.
    private(set) var isFinished = false

    /// Reads on.
    /// - Parameter slice: the bytes that follow those that were read.
    mutating func read(_ slice: Data) {
        bytes.append(slice)
        isFinished = !bytes.starts(with: Self.beginning.prefix(bytes.count))
        while !isFinished, position < bytes.count {
            step(over: bytes[position])
            position += 1
            guard depth == 0 else { continue }
            isFinished = true
            list = bytes[Self.beginning.count..<position]
        }
    }

    private mutating func step(over byte: UInt8) {
        if isInText {
            if isEscaped {
                isEscaped = false
            } else {
                isEscaped = byte == UInt8(ascii: "\\")
                isInText = byte != UInt8(ascii: "\"")
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
    }
}
