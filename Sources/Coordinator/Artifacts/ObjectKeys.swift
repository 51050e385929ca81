import CompositionModel
import Foundation

/// The names of the objects that a farm makes in its bucket: below its prefix, `objects/ab/<digest>-<time>-<random>`. The
/// time, in milliseconds since 1970, tells how old an object is that no row names.
struct ObjectKeys: Sendable {
    /// What all names begin with: empty, or ending with a slash.
    let prefix: String

    /// The prefix of all objects.
    var all: String { prefix + "objects/" }

    /// The name of the object that says whose the bucket is.
    var owner: String { prefix + "owner" }

    /// The name of an object that says whether the service compares digests.
    var trial: String { prefix + "trial" }

    /// A name that was not used before.
    func fresh(for digest: ContentDigest, at time: Date) -> String {
        let milliseconds = Int64((time.timeIntervalSince1970 * 1000).rounded(.down))
        return "\(base(digest))\(milliseconds)-\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Whether `key` is one that was made for `digest`.
    func isKey(_ key: String, of digest: ContentDigest) -> Bool {
        key.hasPrefix(base(digest)) && !key.dropFirst(base(digest).count).contains("/") && made(key) != nil
    }

    /// When a name was made; nil for what is no such name.
    func made(_ key: String) -> Date? {
        let parts = key.split(separator: "/").last?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard key.hasPrefix(all), parts.count == 3, let milliseconds = Int64(parts[1]),
            UInt64(parts[2], radix: 16) != nil
        else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private func base(_ digest: ContentDigest) -> String { "\(all)\(digest.hex.prefix(2))/\(digest.hex)-" }
}
