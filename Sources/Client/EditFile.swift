import Foundation
public import Shared

/// An edit as it lies on disk: its text, what was read from it, where its assets are, and the edits among them.
public struct EditFile: Sendable {
    /// As the user named it; `-` is standard input.
    public let path: String
    public let text: String
    public let read: EditReadResult
    /// Name → where the asset's bytes are, paths made absolute. Edits are in ``nested``.
    public internal(set) var assets: [String: AssetSource]
    /// Name → the edit that is an asset.
    public internal(set) var nested: [String: EditFile]
    /// Values for its `params`.
    public let parameters: [String: String]
    /// UTF-8 bytes that parameters have put into this edit, those nested in it, and those read before.
    private var parameterBytes = 0

    /// Why an edit cannot be used, before any media is looked at.
    public enum Refusal: Error, Sendable {
        case unreadable(String)
        /// At least one is an error.
        case findings([Finding])
    }

    /// - Parameters:
    ///   - path: a file, or `-` for standard input, whose relative paths count from the working folder.
    ///   - replacements: name → path, instead of what the edit says.
    ///   - parameters: values for its `params`, in place of their defaults.
    public init(
        path: String,
        replacements: [String: String] = [:],
        parameters: [String: String] = [:]
    ) throws(Refusal) {
        try self.init(path: path, replacements: replacements, parameters: parameters, chain: [], spent: 0)
    }

    /// - Parameters:
    ///   - chain: the edits that hold this one, from the outermost in.
    ///   - spent: bytes that parameters have put into the edits before.
    private init(
        path: String,
        replacements: [String: String],
        parameters: [String: String],
        chain: [Link],
        spent: Int
    ) throws(Refusal) {
        let data =
            path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Data(readingToEnd: path)
        guard let data else {
            guard !path.contains(#/%\d*d/#) else {
                throw .unreadable("\(path) names numbered pictures; only the assets of an edit can be those")
            }
            throw .unreadable("\(path) cannot be read; is the path right?")
        }
        let folder = path == "-" ? FileManager.default.currentDirectoryPath : EditFile.folder(of: path)
        try self.init(
            data,
            path: path,
            folder: folder,
            replacements: replacements,
            parameters: parameters,
            chain: chain + [Link(name: path, file: EditFile.real(path))],
            spent: spent
        )
    }

    /// An edit on the way from the outermost to one that is nested.
    private struct Link {
        /// As findings call it.
        let name: String
        /// Absolute and without symbolic links.
        let file: String
    }

    /// The edit that shows a media file.
    public init(showing media: String, _ view: MediaView, sound: MediaSound) throws(Refusal) {
        let text = view.text(of: media, sound)
        try self.init(
            Data(text.utf8),
            path: media,
            folder: FileManager.default.currentDirectoryPath,
            replacements: [:],
            parameters: [:],
            chain: [],
            spent: 0
        )
    }

    private init(
        _ data: Data,
        path: String,
        folder: String,
        replacements: [String: String],
        parameters: [String: String],
        chain: [Link],
        spent: Int
    ) throws(Refusal) {
        self.path = path
        self.parameters = parameters
        text = String(decoding: data, as: UTF8.self)
        read = EditReader.read(utf8: data, parameters: parameters, parameterBytes: spent)
        parameterBytes = read.parameterBytes
        guard let document = read.document else { throw .findings(read.findings) }
        let sources = try EditFile.sources(of: document, in: folder, replacements: replacements)
        assets = sources.filter { if case .edit = $0.value { false } else { true } }
        nested = [:]
        guard case .edit(let edit) = document else { return }
        var findings: [Finding] = []
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            guard case .edit(let file, let parameters) = source, let mark = edit.assets[name]?.mark else { continue }
            do throws(Refusal) {
                let spent = parameterBytes
                let edit = try EditFile.nested(file, parameters, at: mark, in: folder, chain: chain, spent: spent)
                parameterBytes = edit.parameterBytes
                nested[name] = edit
            } catch {
                switch error {
                case .unreadable(let sentence): findings.append(mark.finding(rule: .assetMissing, sentence))
                case .findings(let inner): findings += inner
                }
            }
        }
        guard findings.isEmpty else { throw .findings(read.findings + findings) }
    }

    /// - Parameters:
    ///   - file: as the edit in `folder` names it.
    ///   - mark: where it does.
    private static func nested(
        _ file: String,
        _ parameters: [String: String],
        at mark: SourceMark,
        in folder: String,
        chain: [Link],
        spent: Int
    ) throws(Refusal) -> EditFile {
        let link = Link(name: name(of: file, in: folder), file: real(absolute(file, in: folder)))
        if let first = chain.firstIndex(where: { $0.file == link.file }) {
            let names = (chain[first...] + [chain[first]]).map { URL(fileURLWithPath: $0.name).lastPathComponent }
            let cycle = names.joined(separator: " → ")
            throw .findings([mark.finding(rule: .editCycle, "edits use each other in a circle: \(cycle)")])
        }
        guard chain.count <= Limits.nesting else {
            let message = "edits are nested more than \(Limits.nesting) deep here"
            throw .findings([mark.finding(rule: .limit, message)])
        }
        do throws(Refusal) {
            return try EditFile(
                path: link.name,
                replacements: [:],
                parameters: parameters,
                chain: chain,
                spent: spent
            )
        } catch {
            guard case .findings(let findings) = error else { throw error }
            throw .findings(findings.map { $0.inside(link.name, usedAt: mark) })
        }
    }

    /// How findings call a nested edit's file: below the working folder as a relative path, which is how the outermost
    /// edit was named as a rule.
    private static func name(of file: String, in folder: String) -> String {
        let path = absolute(file, in: folder)
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }

    private static func real(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }

    /// All of its assets and of the edits nested in it; those of nested ones are called by both names.
    public var allAssets: [String: AssetSource] {
        nested.reduce(into: assets) { all, edit in
            for (name, source) in edit.value.allAssets { all["\(edit.key)/\(name)"] = source }
        }
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
            case .raw(let path, let format): sources[name] = .raw(absolute(path, in: folder), format)
            case .url, .digest, .generated, .generatedSound, .speech, .edit: break
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
