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
        guard text.contains("{") else { return }
        for match in text.matches(of: /\{([^{}]*)\}/) where !Self.places.contains(String(match.1)) {
            let known = Self.places.map { "{\($0)}" }.joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "“{\(String(match.1).visible)}” in \(text.visible) is not known; there are \(known)."
            )
        }
    }

    /// Whether every file has the same name.
    var isPlain: Bool { !Self.places.contains { text.contains("{\($0)}") } }

    /// The name of one file.
    /// - Parameters:
    ///   - title: the title of the job, usually a file's name.
    ///   - day: the day that `{date}` means, in this machine's zone; nil is today.
    func filled(title: String, fileExtension: String, preset: String, day: Date? = nil) -> String {
        let date = text.contains(Self.date) ? Self.written(day ?? Date()) : ""
        return filled(title: title, fileExtension: fileExtension, preset: preset, date: date)
    }

    /// The name of one file on whatever day: `{date}` stays as it is.
    func undated(title: String, fileExtension: String, preset: String) -> String {
        filled(title: title, fileExtension: fileExtension, preset: preset, date: Self.date)
    }

    private static let date = "{date}"

    private func filled(title: String, fileExtension: String, preset: String, date: String) -> String {
        guard text.contains("{") else { return text }
        let name = MovieName.inFolder(written: nil, title: title, fileExtension: "x").dropLast(2)
        let filled = text.replacing("{ext}", with: fileExtension).replacing("{preset}", with: preset)
        return filled.replacing(Self.date, with: date).replacing("{name}", with: name)
    }

    private static func written(_ day: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter.string(from: day)
    }
}
