/// The header that names a download (RFC 6266), for any title a user may give.
enum ContentDisposition {
    /// The value of the header for a file that is saved under `name`.
    static func attachment(_ name: String) -> String {
        let name = safe(name)
        let ascii = String(name.unicodeScalars.map { $0.isASCII && $0 != "\"" && $0 != "\\" ? Character($0) : "_" })
        return "attachment; filename=\"\(ascii)\"; filename*=UTF-8''\(percentEncoded(name))"
    }

    /// The name without control characters, slashes and leading dots.
    private static func safe(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Character in
            scalar.properties.generalCategory == .control || scalar == "/" ? "_" : Character(scalar)
        }
        let text = String(scalars).drop { $0 == "." }
        return text.isEmpty ? "output" : String(text)
    }

    /// The name as RFC 8187 §3.2.1 has it: bytes outside `attr-char` are percent-encoded.
    private static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || (48...57).contains(byte))
            return isPlain || "-._~".unicodeScalars.contains(scalar)
                ? String(Character(scalar)) : "%" + String(byte < 16 ? "0" : "") + String(byte, radix: 16).uppercased()
        }.joined()
    }
}
