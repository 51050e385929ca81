import Foundation

/// Calls `body` with the values of `parameters` as libpq takes them: pointers to texts or bytes, a null pointer for
/// NULL; the lengths of those that are bytes; and 1 for bytes, 0 for text.
func withParameters<Value>(
    _ parameters: [any Parameter],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) throws -> Value
) rethrows -> Value {
    let bytes = parameters.map(\.parameterBytes)
    let values = zip(parameters, bytes).map { $1 == nil ? copy($0.parameterText) : copy($1) }
    defer { for value in values { free(value) } }
    // A last element each, so that no array is empty.
    return try body(
        values.map { UnsafePointer($0) } + [nil],
        bytes.map { Int32($0?.count ?? 0) } + [0],
        bytes.map { $0 == nil ? 0 : 1 } + [0]
    )
}

private func copy(_ text: String?) -> UnsafeMutablePointer<CChar>? { text.flatMap { strdup($0) } }

/// A copy that is never null: a null pointer would stand for NULL, and not for no bytes.
private func copy(_ bytes: Data?) -> UnsafeMutablePointer<CChar>? {
    guard let bytes else { return nil }
    let space = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    bytes.copyBytes(to: space)
    return space.baseAddress?.assumingMemoryBound(to: CChar.self)
}
