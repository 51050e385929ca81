/// The reason why a text is no time, or no time at the frame rate of the edit.
package struct TimeTextError: Error, Sendable, Hashable {
    /// The rule that the text breaks.
    package enum Rule: Sendable, Hashable, CaseIterable {
        /// The text has none of the forms of docs/time.md.
        case syntax
        /// The time does not fit into `Int64` over `Int64`.
        case overflow
        /// The timecode label does not exist at this frame rate.
        case timecode
        /// The text is the number of a source frame where a time is expected.
        case frameNumber
    }

    package var rule: Rule
    /// The problem, as one sentence without a full stop.
    package var message: String
    /// The text to write instead; nil when it is not known.
    package var suggestion: String?

    static func overflow(_ text: String) -> TimeTextError {
        let reason = "is too large, or has too many digits, to be held exactly"
        return TimeTextError(rule: .overflow, message: "the time “\(text)” \(reason)")
    }

    /// The error for `time`, the number of a source frame, where only a time is allowed.
    package static func sourceFrame(_ time: EditTime) -> TimeTextError {
        TimeTextError(
            rule: .frameNumber,
            message: "“\(time)” is a frame of a source, which only \"in\", \"freeze\" and \"range\" can name"
        )
    }
}
