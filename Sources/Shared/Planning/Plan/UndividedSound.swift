/// Why the sound of an output is one task and not several pieces.
package enum UndividedSound: String, Sendable, Hashable, Codable {
    /// It is shorter than the least that is divided.
    case short
    /// Pieces of its codec cannot be joined.
    case codec
    /// A nested edit is brought to a loudness, for which all of it is heard.
    case nestedLoudness = "nested-loudness"
    /// Processors of the master or of a track remember more than half a piece.
    case processor
    /// A clip longer than two pieces keeps its pitch at another speed, or has such processors.
    case longClip = "long-clip"
    /// A source longer than three minutes can be decoded from its start alone.
    case source

    /// The reason as the end of a sentence.
    var words: String {
        switch self {
        case .short: "it is short"
        case .codec: "pieces of this codec cannot be joined"
        case .nestedLoudness: "a nested edit is brought to a loudness"
        case .processor: "processors of the master or of a track remember too much of what came before"
        case .longClip: "a long clip keeps its pitch at another speed, or has processors that remember too much"
        case .source: "a long source can be decoded from its start alone"
        }
    }
}
