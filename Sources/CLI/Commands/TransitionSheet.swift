import CompositionModel

/// The edit of which docs/transitions.png is made.
enum TransitionSheet {
    /// Frames of each transition, and of nothing else.
    static let frameCount = 20

    /// A luma wipe follows the brightness of the first picture.
    private static func map(_ kind: TransitionKind) -> String { kind.rule.hasMap ? "\"map\": \"a\", " : "" }

    static var edit: String {
        let length = "\"duration\": \"\(frameCount)f\""
        let segments = TransitionKind.allCases.map { kind in
            """
                { "asset": "a", \(length) }, { "transition": "\(kind.rawValue)", \(map(kind))\(length) }, { "asset": "b", \(length) }
            """
        }
        return """
            { "schema": "edit/1", "format": { "frameRate": "20" },
              "assets": { "a": "a.mkv", "b": "b.mkv" },
              "tracks": [{ "kind": "video", "segments": [
            \(segments.joined(separator: ",\n"))
              ] }],
              "outputs": [{ "preset": "lossless" }] }
            """
    }
}
