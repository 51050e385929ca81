import Client
import Foundation
import Shared

/// One output of an edit and the file it goes to.
struct PlannedOutput: Sendable {
    /// Position among the edit's outputs.
    let index: Int
    /// Where it goes; nil when nothing says.
    let path: String?
    /// That place, made sure of; nil when the movie will not be fetched.
    let file: OutputFile?

    /// The outputs of a document: all of the edit's, or one with the preset that replaces them.
    /// - Parameters:
    ///   - destination: `-o`: a file, or a folder when there are several outputs.
    ///   - needsFiles: the movies will be fetched, so every output must have somewhere to go.
    /// - Throws: ``CommandFailure`` when a place is missing, taken, or named like another kind of file.
    static func list(
        _ document: EditDocument,
        preset: String?,
        destination: String?,
        isForced: Bool,
        needsFiles: Bool
    ) throws -> [PlannedOutput] {
        var written = WrittenOutput.list(document)
        if let preset { written = [WrittenOutput(preset, file: written.count == 1 ? written[0].file : nil)] }
        let isFolder = destination.map(isExistingFolder) ?? false
        if let destination, written.count > 1, !isFolder {
            throw CommandFailure(.usage, "The edit has \(written.count) outputs; -o \(destination) must be a folder.")
        }
        return try written.enumerated().map { index, output in
            let path = path(of: output.file, destination: destination, isFolder: isFolder)
            // What an edit names by itself is only a proposal where nothing is written.
            if let path, needsFiles || destination != nil { try output.check(path) }
            guard needsFiles else { return PlannedOutput(index: index, path: path, file: nil) }
            guard let path else { throw nowhere(destination) }
            return PlannedOutput(index: index, path: path, file: try OutputFile(path: path, isForced: isForced))
        }
    }

    private static func path(of written: String?, destination: String?, isFolder: Bool) -> String? {
        guard let destination else { return written }
        guard isFolder else { return destination }
        return written.map { destination + "/" + ($0 as NSString).lastPathComponent }
    }

    private static func nowhere(_ folder: String?) -> CommandFailure {
        guard let folder else {
            return CommandFailure(.usage, "The output has no file; say where it goes with -o.")
        }
        return CommandFailure(.usage, "-o \(folder) is a folder and the output has no file name; name the file.")
    }

    private static func isExistingFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

/// An output as the edit, or `--preset`, asks for it.
struct WrittenOutput {
    let preset: String
    /// Nil for a preset that there is not: the compiler says so.
    let container: Container?
    let file: String?

    init(_ preset: String, file: String?) {
        self.preset = preset
        self.file = file
        container = PresetCatalog.preset(named: preset)?.container
    }

    static func list(_ document: EditDocument) -> [WrittenOutput] {
        let outputs =
            switch document {
            case .edit(let edit): edit.outputs.map { WrittenOutput($0.preset.value, file: $0.file?.value) }
            case .composition(let composition): composition.outputs.map { WrittenOutput($0.preset, file: $0.file) }
            }
        return outputs.isEmpty ? [WrittenOutput("h264", file: nil)] : outputs
    }

    /// The endings of file names by which people and players know what is inside.
    private static let endings: [Container: [String]] = [
        .mp4: ["mp4", "m4v", "m4a"], .matroska: ["mkv", "mka"],
    ]
    private static let known = endings.values.flatMap(\.self) + ["mov", "webm", "avi", "ts", "mxf"]

    /// - Throws: ``CommandFailure`` when `path` is named like another kind of file than it will be.
    func check(_ path: String) throws {
        let ending = (path as NSString).pathExtension.lowercased()
        guard let container, WrittenOutput.known.contains(ending),
            WrittenOutput.endings[container]?.contains(ending) != true
        else { return }
        throw CommandFailure(
            .usage,
            "\(path): the preset \(preset) makes a file that is named .\(container.fileExtension), not .\(ending)."
        )
    }
}
