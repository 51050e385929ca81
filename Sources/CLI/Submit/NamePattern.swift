import Foundation
import WireProtocol

/// A name with places that each file fills: `{name}` is that of the file or the title without its ending, `{ext}` the ending of
/// what is made, `{preset}` the preset, `{date}` the day as 2026-12-01.
struct NamePattern: Sendable, Hashable {
    let text: String

    private static let places = ["name", "ext", "preset", "date"]

    /// Reads a pattern.
    /// - Throws: ``CommandFailure`` for a place that there is not.
    init(_ text: String) throws(CommandFailure) {
        self.text = text
        for match in text.matches(of: /\{([^{}]*)\}/) where !Self.places.contains(String(match.1)) {
            let known = Self.places.map { "{\($0)}" }.joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "“{\(String(match.1).visible)}” in \(text.visible) is not known; there are \(known)."
            )
        }
    }

    /// Whether every file has the same name.
    var isPlain: Bool { text.firstMatch(of: /\{(name|ext|preset|date)\}/) == nil }

    /// The name of one file.
    /// - Parameters:
    ///   - title: the title of the job, usually a file's name.
    ///   - day: the day that `{date}` means, in this machine's zone.
    func filled(title: String, fileExtension: String, preset: String, day: Date = Date()) -> String {
        let name = MovieName.inFolder(written: nil, title: title, fileExtension: "x").dropLast(2)
        let parts = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: day)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let date = [padded(parts.year, 4), padded(parts.month, 2), padded(parts.day, 2)].joined(separator: "-")
        return text.replacing(/\{(name|ext|preset|date)\}/) { match in
            switch match.1 {
            case "name": String(name)
            case "ext": fileExtension
            case "preset": preset
            default: date
            }
        }
    }
}
