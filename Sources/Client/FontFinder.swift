import Foundation
public import Sandbox
import Shared

/// Finds the fonts of this machine that the titles of an edit ask for, and makes them assets of it: then they are
/// hashed, sent and named by digest as any other.
public struct FontFinder: Sendable {
    /// Folders of fonts, those that are there.
    public static var folders: [String] {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        let all = ["/usr/share/fonts", "/usr/local/share/fonts", home + "/.local/share/fonts", home + "/.fonts"]
        return all.filter { FileManager.default.fileExists(atPath: $0) }
    }

    private let process: RenderProcess
    private let folders: [String]

    /// - Parameter process: opens the font files.
    public init(process: RenderProcess, folders: [String] = FontFinder.folders) {
        self.process = process
        self.folders = folders
    }

    /// `file` with the fonts it needs among its assets.
    /// - Throws: ``EditFile/Refusal`` with a finding for each family that is missing and each character that no font
    ///   has; `RenderFailed`.
    public func resolve(_ file: EditFile) async throws -> EditFile {
        var file = file
        var findings: [Finding] = []
        for (name, nested) in file.nested.sorted(by: { $0.key < $1.key }) {
            do {
                file.nested[name] = try await resolve(nested)
            } catch EditFile.Refusal.findings(let inner) {
                findings += inner.map { $0.inside(nested.path) }
            }
        }
        guard findings.isEmpty else { throw EditFile.Refusal.findings(file.read.findings + findings) }
        return try await resolveOwn(file)
    }

    /// Of its own titles.
    private func resolveOwn(_ file: EditFile) async throws -> EditFile {
        guard case .edit(let edit) = file.read.document else { return file }
        let descriptors = edit.fontDescriptors(subtitles: await subtitles(of: edit, in: file))
        guard !descriptors.isEmpty else { return file }
        let request = FontRequest(folders: folders, descriptors: descriptors.map(\.value))
        let outcome = try await process.run(.fonts(request), readable: folders, writable: [])
        guard case .fonts(let answers) = outcome.result, answers.count == descriptors.count else {
            throw RenderFailed(
                Failure(code: "fonts_unreadable", message: "The fonts could not be looked through.", isPermanent: false)
            )
        }
        let findings = zip(descriptors, answers).flatMap { descriptor, answer in answer.findings(for: descriptor) }
        guard findings.isEmpty else { throw EditFile.Refusal.findings(file.read.findings + findings) }
        return file.adding(fonts: answers.flatMap(\.paths))
    }

    /// What is known of the files that the edit's subtitles name, by the names of the assets. Of those that cannot be
    /// read is spoken where assets are.
    private func subtitles(of edit: Edit, in file: EditFile) async -> [String: SubtitleFacts] {
        var known: [String: SubtitleFacts] = [:]
        for name in Set(edit.subtitles.map(\.asset.value)) {
            guard case .path(let path) = file.assets[name], let facts = try? await facts(of: path) else { continue }
            known[name] = facts
        }
        return known
    }

    /// - Returns: nil for a file that is no subtitles.
    private func facts(of path: String) async throws -> SubtitleFacts? {
        var about = stat()
        guard stat(path, &about) == 0 else { return nil }
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("cutfarm-cues-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let source = SourceFile(path: path, byteCount: Int64(about.st_size), isComplete: true)
        let request = ProbeRequest(source: source, outputFolder: scratch.path)
        let outcome = try await process.run(.probe(request), readable: [path], writable: [scratch.path])
        guard case .probe(let facts, _) = outcome.result else { return nil }
        return facts.subtitles
    }
}

extension EditFile {
    /// The same with font files as assets, named `font:` and the file's name.
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
