import TestSupport

/// Random documents: sound ones, and ones that were broken.
enum JSONFuzz {
    static func document(_ random: inout SplitMix, depth: Int = 0) -> String {
        switch Int.random(in: (depth < 2 ? 5 : 0)..<(depth > 4 ? 5 : 8), using: &random) {
        case 0: ["null", "true", "false"].randomElement(using: &random)!
        case 1, 2: ["0", "-0", "1", "-12.5", "1e5", "2E-3", "123456789012"].randomElement(using: &random)!
        case 3, 4: string(&random)
        case 5:
            "["
                + (0..<Int.random(in: 0..<4, using: &random)).map { _ in document(&random, depth: depth + 1) }
                .joined(separator: " , ") + "]"
        default:
            "{"
                + (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                    string(&random) + " : " + document(&random, depth: depth + 1)
                }.joined(separator: ",\n") + "}"
        }
    }

    private static func string(_ random: inout SplitMix) -> String {
        let pieces = [
            "a", "schema", "é", "🎬", "\\n", "\\u00e9", "\\ud83c\\udfac", "//", "/*", "\\\"", "{", "]", "$param", "in",
        ]
        let count = Int.random(in: 0..<4, using: &random)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random)! }.joined() + "\""
    }

    /// `text` with a few bytes removed, doubled, swapped in from elsewhere, or cut off.
    static func broken(_ text: String, _ random: inout SplitMix) -> String {
        var scalars = Array(text.unicodeScalars)
        let strange = Array("{}[]:,\"'\\/*#x0-+.eu\n\r\t\u{0}é🎬".unicodeScalars)
        for _ in 0..<Int.random(in: 1..<6, using: &random) where !scalars.isEmpty {
            let index = Int.random(in: 0..<scalars.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: scalars.remove(at: index)
            case 1: scalars.insert(scalars[index], at: index)
            case 2: scalars.removeSubrange(index...)
            default: scalars.insert(strange.randomElement(using: &random)!, at: index)
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
