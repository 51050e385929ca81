import Foundation
public import Shared

/// An edit as it lies on disk: its text, what was read from it, and where its assets are.
public struct EditFile: Sendable {
    /// As the user named it; `-` is standard input.
    public let path: String
    public let text: String
    public let read: EditReadResult
    /// Name → where the asset's bytes are, paths made absolute.
    public internal(set) var assets: [String: AssetSource]

    /// Why an edit cannot be used, before any media is looked at.
    public enum Refusal: Error, Sendable {
        case unreadable(String)
        /// At least one is an error.
        case findings([Finding])
    }

    /// - Parameters:
    ///   - path: a file, or `-` for standard input, whose relative paths count from the working folder.
    ///   - replacements: name → path, instead of what the edit says.
    public init(path: String, replacements: [String: String] = [:]) throws(Refusal) {
        let data =
            path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Data(readingToEnd: path)
        guard let data else {
            throw .unreadable("\(path) cannot be read; is the path right?")
        }
        let folder = path == "-" ? FileManager.default.currentDirectoryPath : EditFile.folder(of: path)
        try self.init(data, path: path, folder: folder, replacements: replacements)
    }

    /// The edit that shows a media file from its start to its end, as it is.
    public init(showing media: String) throws(Refusal) {
        let path = (try? JSONEncoder().encode(media)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        let text = """
            { "schema": "edit/1", "assets": { "file": \(path) },
              "tracks": [{ "kind": "video", "segments": [{ "asset": "file" }] }] }
            """
        try self.init(
            Data(text.utf8),
            path: media,
            folder: FileManager.default.currentDirectoryPath,
            replacements: [:]
        )
    }

    private init(_ data: Data, path: String, folder: String, replacements: [String: String]) throws(Refusal) {
        self.path = path
        text = String(decoding: data, as: UTF8.self)
        read = EditReader.read(utf8: data)
        guard let document = read.document else { throw .findings(read.findings) }
        assets = try EditFile.sources(of: document, in: folder, replacements: replacements)
    }

    private static func folder(of path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent().path
    }

    private static func sources(
        of document: EditDocument,
        in folder: String,
        replacements: [String: String]
    ) throws(Refusal) -> [String: AssetSource] {
        var sources: [String: AssetSource]
        switch document {
        case .edit(let edit): sources = edit.assetSources
        case .composition(let composition):
            sources = Dictionary(
                composition.assets.map { ($0.name, AssetSource.digest($0.digest)) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        for (name, source) in sources {
            switch source {
            case .path(let path): sources[name] = .path(absolute(path, in: folder))
            case .sequence(let pattern, let rate): sources[name] = .sequence(absolute(pattern, in: folder), rate)
            case .url, .digest, .generated: break
            }
        }
        for (name, path) in replacements.sorted(by: { $0.key < $1.key }) {
            guard sources[name] != nil else {
                throw .unreadable("--asset \(name)=…: the edit has no asset of that name.")
            }
            sources[name] = .path(absolute(path, in: FileManager.default.currentDirectoryPath))
        }
        return sources
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        URL(fileURLWithPath: path, relativeTo: URL(fileURLWithPath: folder, isDirectory: true)).standardizedFileURL.path
    }
}
