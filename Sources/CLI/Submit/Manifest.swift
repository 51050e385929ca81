import CompositionModel
import EditLanguage
import Foundation
import Storage
import WireProtocol

/// A file of edits to submit: one JSON object on each line, or a table with commas (``table(_:path:folder:)``).
enum Manifest {
    /// One line that is not empty.
    enum Line: Sendable {
        /// An edit to submit, and the place of its line in the manifest.
        case entry(ManifestEntry, place: String)
        /// A sentence that names the line's place and what is wrong with it.
        case bad(String)
    }

    /// The end of the sentence about a row that ``isSpoilt(_:)``.
    static let notUTF8 = "it has bytes that are not UTF-8; save the manifest as UTF-8"

    /// Whether a row of a text that is not UTF-8 has such bytes: decoding has written U+FFFD for them.
    static func isSpoilt(_ row: some StringProtocol) -> Bool { row.unicodeScalars.contains("\u{fffd}") }

    private static let keys = [
        "edit", "output", "to", "replace", "title", "preset", "match", "smart", "priority", "params", "after", "until",
        "days", "timeZone", "afterJobs", "deadline", "audit", "require", "webhook",
    ]

    /// Reads the file; `-` is standard input. Empty lines are skipped; paths become relative to the working folder.
    /// - Throws: ``CommandFailure`` when the file cannot be read or has no lines.
    static func read(_ path: String) throws -> [Line] {
        let isInput = path == "-"
        guard let data = isInput ? FileHandle.standardInput.readDataToEndOfFile() : Data(readingToEnd: path) else {
            throw CommandFailure(.usage, "The manifest \(path) cannot be read.")
        }
        guard !data.contains(0) else {
            throw CommandFailure(
                .usage,
                "The manifest \(path) has NUL bytes: it is binary, or UTF-16; save it as UTF-8."
            )
        }
        let valid = String(validating: data, as: UTF8.self)
        // Bytes that are not UTF-8 spoil their own line.
        var text = valid ?? String(decoding: data, as: UTF8.self)
        if text.hasPrefix("\u{feff}") { text.removeFirst() }
        // A manifest from a pipe has no folder: its paths count from the working folder.
        let folder = isInput || path.hasPrefix("/dev/") ? "" : path.parentFolder
        if isTable(path, text) { return try table(text, path: path, folder: folder, isValid: valid != nil) }
        // CRLF is one character, other than LF; other line ends of Unicode may stand in strings.
        let rows = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
        let lines = rows.compactMap { index, row -> Line? in
            let row = row.trimmingCharacters(in: .whitespaces)
            if row.isEmpty { return nil }
            let place = "\(path):\(index + 1)"
            if valid == nil, isSpoilt(row) { return .bad("\(place): \(notUTF8).") }
            return line(row, place: place, folder: folder)
        }
        guard !lines.isEmpty else { throw CommandFailure(.usage, "The manifest \(path) has no lines.") }
        return lines
    }

    private static func line(_ row: String, place: String, folder: String) -> Line {
        guard let object = try? JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any] else {
            return .bad("\(place): this is no JSON object on one line.")
        }
        if let key = JSONText.repeatedKey(in: row) {
            return .bad("\(place): the key “\(key.visible)” appears twice.")
        }
        if let unknown = object.keys.filter({ !keys.contains($0) && !$0.hasPrefix("x-") }).sorted().first {
            return .bad(
                "\(place): the key “\(unknown)” is not known; there are \(keys.joined(separator: ", "))."
            )
        }
        guard object["edit"] != nil else {
            return .bad("\(place): the key “edit” is missing; it says which edit to submit.")
        }
        do {
            let entry = try JSONDecoder().decode(ManifestEntry.self, from: Data(row.utf8))
            return checked(entry, place: place, folder: folder)
        } catch {
            return .bad("\(place): \(mistake(error, in: object))")
        }
    }

    /// What is wrong with the type of a value, as a sentence.
    private static func mistake(_ error: any Error, in object: [String: Any]) -> String {
        var path: [any CodingKey] = []
        if let error = error as? DecodingError {
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                path = context.codingPath
            case .keyNotFound(let key, let context): path = context.codingPath + [key]
            @unknown default: break
            }
        }
        var names = path.prefix(2).filter { $0.intValue == nil }.map(\.stringValue)
        // The decoder does not name the key of a number that is not whole.
        if names.isEmpty, let value = object["priority"], !(value is Int), !(value is NSNull) { names = ["priority"] }
        guard let key = names.first else { return "a number of this line is outside what can be read." }
        let written = names.dropFirst().reduce(object[key]) { value, name in (value as? [String: Any])?[name] }
        return "“\(names.joined(separator: "."))” must be \(type(of: key, isInside: names.count > 1)), and it is "
            + "\(text(of: written))."
    }

    private static func type(of key: String, isInside: Bool) -> String {
        switch key {
        case "edit": "a path"
        case "smart", "replace": "true or false"
        case "priority": "a whole number"
        case "params" where isInside: "a string, a number of up to 38 digits, true or false"
        case "params": "an object of strings, numbers, true and false"
        case "afterJobs": "a list of the ids of jobs"
        case "require": "a list of strings"
        default: "a string"
        }
    }

    /// A value as JSON, cut where it is long.
    private static func text(of value: Any?) -> String {
        let options: JSONSerialization.WritingOptions = [.fragmentsAllowed, .sortedKeys]
        let data = try? JSONSerialization.data(withJSONObject: value ?? NSNull(), options: options)
        let text = String(decoding: data ?? Data("null".utf8), as: UTF8.self)
        return text.count > 60 ? text.prefix(60) + "…" : text
    }

    /// A table is named so; what comes from a pipe and does not begin like JSON is one too.
    private static func isTable(_ path: String, _ text: String) -> Bool {
        if path.lowercased().hasSuffix(".csv") { return true }
        guard path == "-" || path.hasPrefix("/dev/") else { return false }
        return text.first { !$0.isWhitespace } != "{"
    }

    /// The line of an entry that was read.
    static func checked(_ entry: ManifestEntry, place: String, folder: String) -> Line {
        var entry = entry
        if let preset = entry.preset, entry.match != nil, preset != PresetCatalog.matchName {
            return .bad("\(place): “match” goes with the preset match, not with “\(preset)”; leave one of them out.")
        }
        entry.writtenName = entry.output ?? entry.edit
        entry.edit = relocated(entry.edit, folder)
        entry.output = entry.output.map { relocated($0, folder) }
        return .entry(entry, place: place)
    }

    private static func relocated(_ path: String, _ folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : folder + "/" + path
    }
}
