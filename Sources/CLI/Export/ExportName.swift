import CompositionModel
import Foundation
import Timing
import WireProtocol

/// What the name of an exported file says, and what is said about the file.
enum ExportName {
    /// The container that the ending means.
    /// - Throws: ``CommandFailure`` for another ending, and for one without edit lists where they are needed.
    static func format(of path: String, isExact: Bool) throws(CommandFailure) -> ExportFormat {
        // Standard output is refused with a sentence of its own (``OutputFile``).
        let ending = path == "-" ? "mp4" : (path as NSString).pathExtension.lowercased()
        guard let format = ExportFormat(ending: ending) else {
            let what = ending.isEmpty ? "-o \(path) has no ending" : "“.\(ending)” is no container that export writes"
            let list = ExportFormat.allCases.flatMap(\.endings).map { "." + $0 }.joined(separator: ", ")
            throw CommandFailure(.usage, "\(what); there are \(list).")
        }
        guard !isExact || format.hasEditLists else {
            let why = "\(format.words) has no edit lists, which hide the coded frames around an exact range"
            throw CommandFailure(.usage, "--exact: \(why); write .mp4 or .mov, or leave out --exact.")
        }
        return format
    }

    /// The lines about a file that was written.
    /// - Parameter asked: the range that was asked for; nil for all.
    static func summary(_ report: ExportReport, path: String, asked: TimeRange?) -> String {
        let frames = report.frameCount.map { Count.of($0, "frame") + ", " } ?? ""
        let end = (try? report.range.end()) ?? report.range.duration
        let texts = TimeWords.distinct(report.range.start, end)
        let span = "\(frames)from \(texts[0]) to \(texts[1])"
        let isOther = asked.map { $0 != report.range } ?? false
        let asked = asked.flatMap { asked in (try? asked.end()).map { TimeWords.distinct(asked.start, $0) } }
        let wanted = isOther ? asked.map { " (asked for \($0[0]) to \($0[1]))" } ?? "" : ""
        return "\(path): \(span)\(wanted); \(report.streams.joined(separator: ", "))"
    }
}
