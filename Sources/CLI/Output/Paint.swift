import Foundation
import WireProtocol

/// Colours of text on a terminal, for people only: not where NO_COLOR is set, CLICOLOR is 0, or TERM is dumb.
enum Paint {
    /// The colours, as parameters of the terminal's SGR sequence.
    enum Colour: String {
        case green = "32"
        case red = "31"
        case yellow = "33"
        case cyan = "36"
        case faint = "2"
    }

    /// Whether text on a stream is painted (no-color.org, bixense.com/clicolors).
    /// - Parameter isTerminal: whether the stream is a terminal.
    static func isOn(_ environment: [String: String], isTerminal: Bool) -> Bool {
        if environment["NO_COLOR"].map({ !$0.isEmpty }) == true { return false }
        if let forced = environment["CLICOLOR_FORCE"], !forced.isEmpty, forced != "0" { return true }
        return isTerminal && environment["CLICOLOR"] != "0" && environment["TERM"] != "dumb"
    }

    private static let isOnOutput = isOn(ProcessInfo.processInfo.environment, isTerminal: isatty(STDOUT_FILENO) == 1)

    /// The text in a colour on standard output, or as it is.
    static func text(_ text: String, _ colour: Colour?) -> String {
        guard isOnOutput, let colour, !text.isEmpty else { return text }
        return "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m"
    }

    /// The word for the state of a job.
    /// - Parameters:
    ///   - words: what is printed.
    ///   - waits: whether something must happen before the job goes on.
    static func state(_ words: String, _ state: JobState, waits: Bool) -> String {
        let colour: Colour? =
            switch state {
            case .completed: .green
            case .failed: .red
            case .cancelled: .faint
            case .queued, .rendering, .stitching: waits ? .yellow : state == .queued ? nil : .cyan
            }
        return text(words, colour)
    }

    /// The word for the state of a task.
    static func state(_ state: TaskState) -> String {
        let colour: Colour? =
            switch state {
            case .completed: .green
            case .failed: .red
            case .cancelled: .faint
            case .leased: .cyan
            case .queued: nil
            }
        return text(state.rawValue, colour)
    }

    /// The mark of a diagnosis.
    static func mark(_ grade: Diagnosis.Grade) -> String {
        let colour: Colour =
            switch grade {
            case .good: .green
            case .doubtful: .yellow
            case .bad: .red
            }
        return text(grade.rawValue, colour)
    }
}
