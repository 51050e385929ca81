extension SyntaxCoder {
    /// The bytes of a message: a payload that ends within a byte is filled up with a 1 and zeros (ITU-T H.264, 7.3.2.3.1).
    func writtenPayload() -> [UInt8] {
        var writer = writer
        if !writer.isAligned { writer.writeTrailingBits() }
        return writer.bytes
    }
}
