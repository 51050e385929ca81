import CEmbedded

/// A file that the coordinator carries in its executable (`CEmbedded/files.c`).
enum EmbeddedFile {
    /// The bytes of a file.
    /// - Parameter name: one of those that `files.c` lists. Another one ends the program, which is a mistake of this
    ///   module: no name comes from outside, and every coordinator asks for all of them when it starts.
    static func bytes(_ name: String) -> UnsafeBufferPointer<UInt8> {
        guard let file = cut_file_named(name) else { fatalError("CEmbedded/files.c does not list \(name).") }
        return UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count)
    }
}
