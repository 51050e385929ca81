/// Why a text is no time, or no time at this frame rate.
public struct TimeTextError: Error, Sendable, Hashable {
    public enum Rule: Sendable, Hashable, CaseIterable {
        /// The text has none of the forms of docs/time.md.
        case syntax
        /// The time does not fit into `Int64` over `Int64`.
        case overflow
        /// A timecode label that does not exist at this rate.
        case timecode
        /// A source's frame number where a time is asked for.
        case frameNumber
    }

    public var rule: Rule
    /// One sentence.
    public var message: String
    /// What to write instead, when it is known.
    public var suggestion: String?

    static func overflow(_ text: String) -> TimeTextError {
        TimeTextError(rule: .overflow, message: "the time “\(text)” is too large to be held exactly")
    }

    package static func sourceFrame(_ time: EditTime) -> TimeTextError {
        TimeTextError(
            rule: .frameNumber,
            message: "“\(time)” is a frame of a source, which only \"in\", \"freeze\" and \"range\" can name"
        )
    }
}
