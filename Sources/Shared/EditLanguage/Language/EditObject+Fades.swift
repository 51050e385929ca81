import Timing

// Keys that other programs have for fades. Here a fade is a transition beside nothing, or keys of the volume.
extension EditObject {
    /// - Returns: what is said of `member`, and what to write; nil when it is no word for a fade.
    func fade(_ member: JSONMember) -> (message: String, suggestion: String)? {
        let letters = member.key.prefix(40).lowercased().filter(\.isLetter)
        let isIn = letters.contains("fadein")
        guard isIn || letters.contains("fadeout") || letters == "fade" else { return nil }
        let refusal = "\(name) has no key \"\(member.key)\"; a fade is"
        switch self {
        case .videoSegment, .audioSegment:
            let side = letters == "fade" ? "before or behind" : isIn ? "before" : "behind"
            let item = "{ \"transition\": \"dissolve\", \"duration\": \(EditObject.length(member.node)) }"
            return ("\(refusal) a transition \(side) the segment in \"segments\", or keys of its \"volume\"", item)
        case .videoTrack, .audioTrack, .master:
            let ends = isIn ? ("0s", 0, "2s", 1) : ("8s", 1, "10s", 0)
            let keys = #"[{ "at": "\#(ends.0)", "value": \#(ends.1) }, { "at": "\#(ends.2)", "value": \#(ends.3) }]"#
            return (
                "\(refusal) two keys of its \"volume\", which count from the timeline's zero", "\"volume\": \(keys)"
            )
        default: return nil
        }
    }

    /// The length that was meant, else a second; as JSON.
    private static func length(_ node: JSONNode) -> String {
        guard case .string(let text) = node.value, (try? TimeText.read(text)) != nil else { return "\"1s\"" }
        return JSONText.quoted(text)
    }
}
