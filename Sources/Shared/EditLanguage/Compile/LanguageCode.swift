import Foundation

/// Languages as files and people write them: `"de"`, `"deu"` and `"ger"` are one.
enum LanguageCode {
    /// ISO 639-2's bibliographic codes that differ from its terminologic ones (Library of Congress, ISO 639-2 code
    /// list).
    private static let terminologic = [
        "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
        "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
        "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
    ]

    static func areSame(_ first: String, _ second: String) -> Bool { canonical(first) == canonical(second) }

    /// Three letters where the code has them; what follows a hyphen is a region or a script and kept.
    private static func canonical(_ code: String) -> String {
        let parts = code.lowercased().split(separator: "-", maxSplits: 1)
        let language = parts.first.map(String.init) ?? ""
        let long = terminologic[language] ?? Locale.LanguageCode(language).identifier(.alpha3) ?? language
        return ([long] + parts.dropFirst().map(String.init)).joined(separator: "-")
    }
}
