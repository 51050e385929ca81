import Glibc

/// Calls `body` with a C array of `strings` and a null pointer at its end; a nil element is a null pointer too.
func withCStrings<Value>(
    _ strings: [String?],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) throws -> Value
) rethrows -> Value {
    let copies = strings.map { $0.flatMap { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return try pointers.withUnsafeBufferPointer { buffer in
        // The array holds at least the final null: its base is never nil.
        try body(buffer.baseAddress.unsafelyUnwrapped)
    }
}
