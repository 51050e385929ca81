import Digests
import Foundation

/// The tokens that a coordinator knows, by their SHA-256 only.
///
/// A token file has one line for each: `owner scope,scope token`. Instead of the token itself its digest may stand
/// there as `sha256:` and 64 hex digits, so that the file is no secret. Empty lines and lines that begin with `#` count
/// for nothing.
package struct TokenBook: Sendable {
    /// One line of the token file.
    struct Entry: Sendable {
        let principal: Principal
        let digest: Data
    }

    let entries: [Entry]

    /// The reason why a token file is not taken.
    package struct Refused: Error, Sendable, CustomStringConvertible {
        /// One sentence that names the line.
        package let description: String
    }

    /// Reads a token file.
    /// - Throws: ``Refused`` when a line cannot be understood, or there is no token at all.
    package init(text: String) throws(Refused) {
        var entries: [Entry] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let entry = try TokenBook.entry(words.map(String.init), line: index + 1)
            guard !entries.contains(where: { $0.digest == entry.digest }) else {
                throw Refused(
                    description: "Line \(index + 1) of the token file repeats a token; each line needs one of its own."
                )
            }
            entries.append(entry)
        }
        guard !entries.isEmpty else {
            throw Refused(description: "The token file names no token; write lines “owner scope,scope token”.")
        }
        self.entries = entries
    }

    /// The principal that presents `token`; nil when nobody here does. Every entry is compared, each in constant time.
    func principal(presenting token: String) -> Principal? {
        let digest = token.sha256
        var found: Principal?
        for entry in entries where isEqualSecret(entry.digest, digest) { found = entry.principal }
        return found
    }

    private static func entry(_ words: [String], line: Int) throws(Refused) -> Entry {
        guard words.count == 3 else {
            throw Refused(description: "Line \(line) of the token file is not “owner scope,scope token”.")
        }
        var scopes: Set<Scope> = []
        for name in words[1].split(separator: ",") {
            guard let scope = Scope(rawValue: String(name)) else {
                let known = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Refused(description: "Line \(line) of the token file: “\(name)” is none of \(known).")
            }
            scopes.insert(scope)
        }
        guard let digest = digest(of: words[2]) else {
            throw Refused(description: "Line \(line) of the token file: the token needs 16 characters or more.")
        }
        return Entry(principal: Principal(owner: words[0], scopes: scopes), digest: digest)
    }

    /// The digest that a word of the file stands for; nil for a token shorter than 16 bytes, and for a digest of
    /// another length.
    private static func digest(of word: String) -> Data? {
        guard word.hasPrefix("sha256:") else { return word.utf8.count >= 16 ? word.sha256 : nil }
        guard word.utf8.count == 71 else { return nil }
        return Data(hexDigits: word.dropFirst(7))
    }
}

extension String {
    var sha256: Data { Data(SHA256.hash(Data(utf8))) }
}
