import CompositionModel
import EditLanguage
import Foundation
import Storage

/// Reads an edit file and the edits nested in it, the outermost first.
struct EditFileReader {
    /// The preset that a command names instead of the outputs of the outermost edit; nil for those.
    private let preset: String?
    /// The edits that hold the one to be read, from the outermost in.
    private var chain: [Link] = []
    /// UTF-8 bytes that parameters have put into the edits read so far.
    private var parameterBytes = 0

    /// One edit of ``chain``.
    private struct Link {
        /// The name that findings use.
        let name: String
        /// The absolute path without symbolic links.
        let file: String
    }

    /// - Parameter preset: the preset that a command names instead of the outputs of the outermost edit.
    init(preset: String? = nil) { self.preset = preset }

    /// An edit that was read.
    struct Result {
        let file: EditFile
        /// UTF-8 bytes that parameters have put into this edit, those nested in it, and those read before.
        let parameterBytes: Int
    }

    /// Reads the edit at `path`, or standard input for `-`.
    /// - Parameters:
    ///   - replacements: asset name → path, relative to the working folder.
    ///   - parameters: values for its `params`.
    /// - Throws: ``EditFile/Refusal``.
    func read(
        _ path: String,
        replacements: [String: String] = [:],
        parameters: [String: String] = [:]
    ) throws(EditFile.Refusal) -> Result {
        let data =
            path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : Data(readingToEnd: path)
        guard let data else {
            guard !path.contains(#/%\d*d/#) else {
                throw .unreadable("\(path) names numbered pictures; only the assets of an edit can be those")
            }
            throw .unreadable("\(path) cannot be read; is the path right?")
        }
        let folder = path == "-" ? FileManager.default.currentDirectoryPath : LocalPath.folder(of: path)
        var inner = self
        inner.chain.append(Link(name: path, file: LocalPath.real(path)))
        return try inner.read(data, path: path, folder: folder, replacements: replacements, parameters: parameters)
    }

    /// Reads the text of an edit.
    /// - Parameters:
    ///   - path: the name that findings use.
    ///   - folder: the absolute path from which relative paths in the edit count.
    /// - Throws: ``EditFile/Refusal``.
    func read(
        _ data: Data,
        path: String,
        folder: String,
        replacements: [String: String] = [:],
        parameters: [String: String] = [:]
    ) throws(EditFile.Refusal) -> Result {
        let read = EditReader.read(
            utf8: data,
            parameters: parameters,
            parameterBytes: parameterBytes,
            fileName: path == "-" ? nil : (path as NSString).lastPathComponent
        )
        guard let document = read.document else {
            throw .findings(read.findings + furtherFindings(read, in: folder, replacements))
        }
        let sources = try document.sources(in: folder, replacements: replacements)
        var inner = self
        inner.parameterBytes = read.parameterBytes
        let (nested, findings) = inner.readNested(sources, of: document, in: folder)
        guard findings.isEmpty else { throw .findings(read.findings + findings) }
        let file = EditFile(
            path: path,
            text: String(decoding: data, as: UTF8.self),
            read: read,
            assets: sources.filter { if case .edit = $0.value { false } else { true } },
            nested: nested,
            parameters: parameters
        )
        return Result(file: file, parameterBytes: inner.parameterBytes)
    }

    /// Errors beside those of the text: files that are not there, and what else needs no media.
    private func furtherFindings(
        _ read: EditReadResult,
        in folder: String,
        _ replacements: [String: String]
    ) -> [Finding] {
        let presets = read.draftFindings(preset: chain.count == 1 ? preset : nil)
        // An asset that could not be read is in no draft, and a replacement of it is no fault.
        guard let draft = read.draft, let sources = try? draft.sources(in: folder, replacements: replacements) else {
            return presets
        }
        let refusals = sources.compactMapValues(\.refusal)
        return draft.findings(of: refusals).map(read.located) + presets
    }

    /// Reads the edits among `sources`, in the order of their names.
    /// - Returns: the edits by asset name, and what is wrong with those that are missing.
    private mutating func readNested(
        _ sources: [String: AssetSource],
        of document: EditDocument,
        in folder: String
    ) -> (nested: [String: EditFile], findings: [Finding]) {
        guard case .edit(let edit) = document else { return ([:], []) }
        var nested: [String: EditFile] = [:]
        var findings: [Finding] = []
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            guard case .edit(let file, let parameters) = source, let mark = edit.assets[name]?.mark else { continue }
            do throws(EditFile.Refusal) {
                let result = try readNested(file, parameters, at: mark, in: folder)
                (nested[name], parameterBytes) = (result.file, result.parameterBytes)
            } catch {
                switch error {
                case .unreadable(let sentence): findings.append(mark.finding(rule: .assetMissing, sentence))
                case .findings(let inner): findings += inner
                }
            }
        }
        return (nested, findings)
    }

    /// - Parameters:
    ///   - file: the path as the edit in `folder` names it.
    ///   - mark: the place in that edit.
    private func readNested(
        _ file: String,
        _ parameters: [String: String],
        at mark: SourceMark,
        in folder: String
    ) throws(EditFile.Refusal) -> Result {
        let name = LocalPath.name(of: file, in: folder)
        try checkNesting(LocalPath.real(LocalPath.absolute(file, in: folder)), at: mark)
        do throws(EditFile.Refusal) {
            return try read(name, parameters: parameters)
        } catch {
            guard case .findings(let findings) = error else { throw error }
            throw .findings(findings.map { $0.inside(name, usedAt: mark) })
        }
    }

    /// - Parameter file: the absolute path without symbolic links.
    private func checkNesting(_ file: String, at mark: SourceMark) throws(EditFile.Refusal) {
        if let first = chain.firstIndex(where: { $0.file == file }) {
            let names = (chain[first...] + [chain[first]]).map { URL(fileURLWithPath: $0.name).lastPathComponent }
            let cycle = names.joined(separator: " → ")
            throw .findings([mark.finding(rule: .editCycle, "edits use each other in a circle: \(cycle)")])
        }
        guard chain.count <= Limits.nesting else {
            let message = "edits are nested more than \(Limits.nesting) deep here"
            throw .findings([mark.finding(rule: .limit, message)])
        }
    }
}
