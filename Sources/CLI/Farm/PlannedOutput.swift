import Client
import Foundation
import Shared

/// One output of an edit and the file it goes to.
struct PlannedOutput: Sendable {
    /// Position among the edit's outputs.
    let index: Int
    let file: OutputFile?

    /// The outputs of a document: all of the edit's, or one with the preset that replaces them.
    /// - Parameters:
    ///   - destination: `-o`: a file, or a folder when there are several outputs.
    ///   - needsFiles: the movies will be fetched, so every output must have somewhere to go.
    /// - Throws: ``CommandFailure`` when a place is missing or taken.
    static func list(
        _ document: EditDocument,
        preset: String?,
        destination: String?,
        isForced: Bool,
        needsFiles: Bool
    ) throws -> [PlannedOutput] {
        var files = writtenFiles(document)
        if preset != nil { files = [files.count == 1 ? files[0] : nil] }
        let isFolder = destination.map(isExistingFolder) ?? false
        if let destination, files.count > 1, !isFolder {
            throw CommandFailure(.usage, "The edit has \(files.count) outputs; -o \(destination) must be a folder.")
        }
        return try files.enumerated().map { index, written in
            guard needsFiles else { return PlannedOutput(index: index, file: nil) }
            let path = try path(of: written, destination: destination, isFolder: isFolder)
            return PlannedOutput(index: index, file: try OutputFile(path: path, isForced: isForced))
        }
    }

    private static func writtenFiles(_ document: EditDocument) -> [String?] {
        let files =
            switch document {
            case .edit(let edit): edit.outputs.map { $0.file?.value }
            case .composition(let composition): composition.outputs.map(\.file)
            }
        return files.isEmpty ? [nil] : files
    }

    private static func path(of written: String?, destination: String?, isFolder: Bool) throws -> String {
        switch (destination, written) {
        case (let destination?, let written?) where isFolder:
            return destination + "/" + (written as NSString).lastPathComponent
        case (let destination?, nil) where isFolder:
            throw CommandFailure(
                .usage,
                "-o \(destination) is a folder and the output has no file name; name the file."
            )
        case (let destination?, _): return destination
        case (nil, let written?): return written
        case (nil, nil):
            throw CommandFailure(.usage, "The output has no file; say where it goes with -o.")
        }
    }

    private static func isExistingFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
