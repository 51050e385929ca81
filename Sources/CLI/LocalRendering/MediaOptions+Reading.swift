import CompositionModel
import Foundation
import Ingest

extension MediaOptions {
    /// Whether the input is a media file: anything but JSON, which begins with a brace or a comment. What comes through
    /// a pipe can be read only once, so it is taken for an edit.
    /// - Throws: ``CommandFailure`` for a media file with options that only edits have.
    func isMediaFile() throws -> Bool {
        guard input != "-", !isPipe, let handle = FileHandle(forReadingAtPath: input) else { return false }
        let head = (try? handle.read(upToCount: 256)) ?? Data()
        let first = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{feff}" }
        if first.hasPrefix("{") || first.hasPrefix("/*") || first.hasPrefix("//") { return false }
        guard asset.isEmpty, param.isEmpty else {
            let option = asset.isEmpty ? "--param sets a parameter" : "--asset replaces an asset"
            throw CommandFailure(.usage, "\(option) of an edit, and \(input) is a media file.")
        }
        return true
    }

    /// Reads the input as an edit.
    /// - Throws: ``CommandFailure`` with every finding, or with a sentence about media that comes through a pipe.
    func edit() throws -> EditFile {
        do {
            return try EditFile.load(input, assets: asset, parameters: param)
        } catch let failure as CommandFailure where input == "-" || isPipe {
            let rules = [FindingRule.foreignFormat, .encoding, .json]
            guard let first = failure.findings.first, first.line == 1, first.column == 1,
                rules.contains(where: first.breaks)
            else { throw failure }
            let name = input == "-" ? "Standard input" : input
            let advice = "media is read from a file, in any order: write it to one and name that"
            throw CommandFailure(.usage, "\(name) is no edit, and \(advice).")
        }
    }

    private var isPipe: Bool {
        var about = stat()
        return stat(input, &about) == 0 && about.st_mode & S_IFMT == S_IFIFO
    }
}
