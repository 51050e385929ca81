import CompositionModel

/// The names that an edit declares itself, such as ids of tracks, as a finding lists them. There may be many and they may be
/// long, and each of many findings may list them.
enum DeclaredNames {
    /// The most names that are written.
    static let most = 12
    /// The most bytes of UTF-8 that are written of a name: a single character may have any number of them.
    static let mostBytes = 100

    /// The first names in quotes with commas between them, and the number of the others.
    static func list(_ names: [String]) -> String {
        let words = names.prefix(most).map { JSONText.quoted($0.cut(to: mostBytes)) }
        let rest = names.count - words.count
        return words.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
