import Client
import CompositionModel
import EditLanguage
import Foundation

/// One output of an edit and the file it goes to.
struct PlannedOutput: Sendable {
    /// The position among the edit's outputs.
    let index: Int
    /// The path of the file; nil when neither the command nor the edit names one.
    let path: String?
    /// The checked file; nil when the movie will not be fetched.
    let file: OutputFile?

    /// The outputs of a document: all of the edit's, or one with the preset that replaces them.
    /// - Parameters:
    ///   - title: the job's title, after which a movie in a folder is named when the edit names none.
    ///   - destination: the value of `-o`: a file, or a folder that exists.
    ///   - needsFiles: whether the movies will be fetched, so that every output must have somewhere to go.
    ///   - compiled: the compiled outputs, where one of them follows a source; nil otherwise.
    /// - Throws: ``CommandFailure`` when a place is missing, taken, or named like another kind of file.
    static func list(
        _ document: EditDocument,
        title: String,
        preset: String?,
        destination: String?,
        isForced: Bool,
        needsFiles: Bool,
        compiled: [OutputSettings]? = nil
    ) throws -> [PlannedOutput] {
        var written = WrittenOutput.list(document, preset: preset)
        for (index, settings) in (compiled ?? []).enumerated() where written.indices.contains(index) {
            written[index].container = settings.container
        }
        let folder = destination.flatMap { isExistingFolder($0) ? $0 : nil }
        if let destination, written.count > 1, folder == nil {
            throw CommandFailure(.usage, "The edit has \(written.count) outputs, and -o \(noFolder(destination))")
        }
        let pattern = try destination.map { (text) throws(CommandFailure) in try NamePattern(text) }
        return try written.enumerated().map { index, output in
            let named = pattern?.filled(title: title, fileExtension: output.fileExtension, preset: output.preset)
            var path = named ?? output.file
            if let folder {
                // What `--preset` replaced had another name, or one for another kind of file.
                let file = preset == nil ? output.file : nil
                let name = MovieName.inFolder(written: file, title: title, fileExtension: output.fileExtension)
                path = (folder.hasSuffix("/") ? folder : folder + "/") + name
            }
            // A file that the edit names is only a proposal when no movie is written.
            if let path, needsFiles || destination != nil { try output.check(path, isProposal: destination == nil) }
            guard needsFiles else { return PlannedOutput(index: index, path: path, file: nil) }
            guard let path else {
                let places = "with -o, or in a manifest with \"output\" in its line"
                throw CommandFailure(.usage, "The output has no file; say where it goes \(places).")
            }
            return PlannedOutput(index: index, path: path, file: try OutputFile(path: path, isForced: isForced))
        }
    }

    private static func noFolder(_ path: String) -> String {
        FileManager.default.fileExists(atPath: path)
            ? "\(path) is a file; name a folder." : "\(path) is no folder; make it first: mkdir -p \(path)"
    }

    /// Whether there is a folder at `path`.
    static func isExistingFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
