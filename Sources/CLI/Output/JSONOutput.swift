import Foundation
import WireProtocol

/// JSON on standard output.
enum JSONOutput {
    /// Prints a value on one line.
    /// - Throws: `EncodingError` for a number that JSON does not have.
    static func print(_ value: some Encodable) throws {
        Console.print(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }

    /// Prints an array of documents, which are JSON already, on one line.
    static func print(_ documents: [Data]) {
        Console.print("[" + documents.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",") + "]")
    }
}
