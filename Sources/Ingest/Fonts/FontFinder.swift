package import CompositionModel
import EditLanguage
import Foundation
package import Sandbox
import Threads
import WireProtocol

/// Finds the fonts of this machine that the titles of an edit ask for, and adds them to its assets, so that they are
/// hashed, sent and named by digest like any other asset.
package struct FontFinder: Sendable {
    /// The font folders of this system and of this user that existed when they were first asked for.
    package static let folders = all(ProcessInfo.processInfo.environment).filter {
        FileManager.default.fileExists(atPath: $0)
    }

    /// The folders of a system, and of the user whose environment this is (XDG Base Directory Specification; `~/.fonts` is
    /// older).
    static func all(_ environment: [String: String]) -> [String] {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
        let data = absolute("XDG_DATA_HOME") ?? home + "/.local/share"
        return ["/usr/share/fonts", "/usr/local/share/fonts", data + "/fonts", home + "/.fonts"]
    }

    private let process: RenderProcess
    private let folders: [String]

    /// - Parameters:
    ///   - process: opens the font files.
    ///   - folders: absolute paths, searched with all folders below them.
    package init(process: RenderProcess, folders: [String] = FontFinder.folders) {
        self.process = process
        self.folders = folders
    }

    /// Adds the fonts that the titles of an edit, and of the edits nested in it, ask for.
    /// - Returns: the edit with the font files among its assets; unchanged without titles.
    /// - Throws: ``EditFile/Refusal`` with a finding for each family that is missing and each character that no font
    ///   has; `RenderFailed` when the fonts cannot be read; `CancellationError`.
    package func resolve(_ file: EditFile) async throws -> EditFile {
        let (resolved, findings) = try await search(file)
        guard findings.isEmpty else { throw EditFile.Refusal.findings(file.read.findings + findings) }
        return resolved
    }

    /// Adds the fonts as ``resolve(_:)`` does, and tells what is missing.
    /// - Returns: the edit with the font files that were found, and a finding for each family that is missing and each
    ///   character that no font has.
    /// - Throws: `RenderFailed` when the fonts cannot be read; `CancellationError`.
    package func search(_ file: EditFile) async throws -> (file: EditFile, findings: [Finding]) {
        var file = file
        var findings: [Finding] = []
        for (name, nested) in file.nested.sorted(by: { $0.key < $1.key }) {
            let (found, missing) = try await search(nested)
            file.nested[name] = found
            findings += missing.map { $0.inside(nested.path) }
        }
        let own = try await searchOwn(file)
        return (own.file, own.findings + findings)
    }

    private func searchOwn(_ file: EditFile) async throws -> (file: EditFile, findings: [Finding]) {
        guard case .edit(let edit) = file.read.document else { return (file, []) }
        let descriptors = edit.fontDescriptors(subtitles: await subtitles(of: edit, in: file))
        guard !descriptors.isEmpty else { return (file, []) }
        let answers = try await answers(to: descriptors.map(\.value))
        let findings = zip(descriptors, answers).flatMap { descriptor, answer in answer.findings(for: descriptor) }
        return (file.adding(fonts: answers.flatMap(\.paths)), findings)
    }

    /// The answers to descriptors, in their order. A render child looks through the folders, unless it has done so for the
    /// same fonts: the rows of a manifest mostly ask for one font with other words.
    private func answers(to descriptors: [FontDescriptor]) async throws -> [FontAnswer] {
        let known = await DedicatedThread.run { [folders] in
            FontMemory.shared.answers(to: descriptors, in: folders)
        }
        let open = zip(descriptors, known).filter { $0.1 == nil }.map(\.0)
        guard !open.isEmpty else { return known.compactMap(\.self) }
        // The folders are looked at before the search, so that what changes meanwhile is searched again.
        let state = await DedicatedThread.run { [folders] in FontFolders(folders) }
        let request = FontRequest(folders: folders, descriptors: open)
        let outcome = try await process.run(.fonts(request), readable: folders, writable: [])
        guard case .fonts(let found) = outcome.result, found.count == open.count else {
            throw RenderFailed(
                Failure(code: "fonts_unreadable", message: "The fonts could not be looked through.", isPermanent: false)
            )
        }
        await DedicatedThread.run { FontMemory.shared.note(zip(open, found), in: state) }
        var rest = found.makeIterator()
        return known.compactMap { $0 ?? rest.next() }
    }

    /// The facts of the subtitle files that the edit uses, by asset name. Files that cannot be read are left out: they
    /// are reported with the other assets.
    private func subtitles(of edit: Edit, in file: EditFile) async -> [String: SubtitleFacts] {
        var known: [String: SubtitleFacts] = [:]
        for name in Set(edit.subtitles.map(\.asset.value)) {
            guard case .path(let path) = file.assets[name] else { continue }
            known[name] = try? await process.probe(path) { facts, _, _ in facts.subtitles }
        }
        return known
    }
}

extension EditFile {
    /// Adds font files as assets, named `font:` and the file's name; a number follows where the name is taken.
    fileprivate func adding(fonts paths: [String]) -> EditFile {
        var file = self
        var number = 2
        for path in paths where !file.assets.values.contains(.path(path)) {
            let name = "font:" + URL(fileURLWithPath: path).lastPathComponent
            var free = name
            while file.assets[free] != nil {
                free = "\(name)#\(number)"
                number += 1
            }
            file.assets[free] = .path(path)
        }
        return file
    }
}
