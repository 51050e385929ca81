package import CompositionModel
package import EditLanguage
import Foundation

/// An edit as it lies on disk: its text, the document that was read from it, the places of its assets, and the edits
/// among them.
package struct EditFile: Sendable {
    /// The path as the user named it; `-` is standard input.
    package let path: String
    /// The whole text; bytes that are no UTF-8 are replaced.
    package let text: String
    /// The document and the findings of reading it.
    package let read: EditReadResult
    /// Where the bytes of each asset are, by name. Paths are absolute. Edits among the assets are in ``nested``.
    package internal(set) var assets: [String: AssetSource]
    /// The edits among the assets, by name.
    package internal(set) var nested: [String: EditFile]
    /// The values for the edit's `params`, by name.
    package let parameters: [String: String]

    /// The reason why an edit cannot be used, found before any media is opened.
    package enum Refusal: Error, Sendable {
        /// The text cannot be read, or an option does not fit it; the value is a sentence.
        case unreadable(String)
        /// The text has at least one error. The value holds all findings.
        case findings([Finding])
    }

    /// Reads an edit and the edits nested in it.
    /// - Parameters:
    ///   - path: a file, or `-` for standard input, whose relative paths count from the working folder.
    ///   - replacements: asset name → path, which replaces what the edit says; relative to the working folder.
    ///   - parameters: values for the edit's `params`, in place of their defaults.
    ///   - preset: the preset to be used instead of the edit's outputs; only whether it exists is checked, and only in
    ///     an edit that has other errors. Compiling checks it in every other one.
    /// - Throws: ``Refusal`` when the file cannot be read, is no edit, or names an edit that is none.
    package init(
        path: String,
        replacements: [String: String] = [:],
        parameters: [String: String] = [:],
        preset: String? = nil
    ) throws(Refusal) {
        self = try EditFileReader(preset: preset).read(path, replacements: replacements, parameters: parameters).file
    }

    /// Makes the edit that a text is.
    /// - Parameters:
    ///   - text: relative paths in it count from the working folder.
    ///   - path: the name that findings use.
    /// - Throws: ``Refusal`` when the text is no edit.
    package init(text: String, path: String) throws(Refusal) {
        let folder = FileManager.default.currentDirectoryPath
        self = try EditFileReader().read(Data(text.utf8), path: path, folder: folder).file
    }

    /// Makes the edit that shows a media file.
    /// - Parameter media: the path of the file, relative to the working folder.
    /// - Throws: ``Refusal``, which no valid path causes.
    package init(showing media: String, _ view: MediaView, sound: MediaSound) throws(Refusal) {
        let text = view.text(of: media, sound)
        let folder = FileManager.default.currentDirectoryPath
        self = try EditFileReader().read(Data(text.utf8), path: media, folder: folder).file
    }

    init(
        path: String,
        text: String,
        read: EditReadResult,
        assets: [String: AssetSource],
        nested: [String: EditFile],
        parameters: [String: String]
    ) {
        (self.path, self.text, self.read) = (path, text, read)
        (self.assets, self.nested, self.parameters) = (assets, nested, parameters)
    }

    /// The assets of this edit and of all edits nested in it. Those of nested edits are named `edit/asset`.
    package var allAssets: [String: AssetSource] {
        nested.reduce(into: assets) { all, edit in
            for (name, source) in edit.value.allAssets { all["\(edit.key)/\(name)"] = source }
        }
    }
}
