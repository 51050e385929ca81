/// Counts the values of JSON without reading them.
enum JSONValueCount {
    /// Whether a body has more than `limit` elements and members, whether it is JSON or not. Each stands behind a comma, or
    /// first in its list or object.
    static func isAbove(_ limit: Int, in body: UnsafeRawBufferPointer) -> Bool {
        var (count, isText, isEscaped) = (0, false, false)
        for byte in body {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): count += 1
            default: break
            }
            if count > limit { return true }
        }
        return false
    }
}
