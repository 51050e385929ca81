import CompositionModel

/// The edit from which docs/transitions.png is made.
enum TransitionSheet {
    /// The frames of each transition, and of each clip beside it.
    static let frameCount = 20

    /// The map of a luma wipe, which follows the brightness of the first picture.
    private static func map(_ kind: TransitionKind) -> String { kind.rule.hasMap ? "\"map\": \"a\", " : "" }

    /// The text of the edit.
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
