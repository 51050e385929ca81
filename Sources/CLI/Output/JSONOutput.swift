import WireProtocol

/// JSON on standard output.
enum JSONOutput {
    /// Prints a value on one line.
    /// - Throws: `EncodingError` for a number that JSON does not have.
    static func print(_ value: some Encodable) throws {
        Console.print(String(decoding: try WireJSON.encode(value), as: UTF8.self))
    }
}
