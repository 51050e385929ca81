import CompositionModel
import EditLanguage
import Foundation
import Media
import Planning
import Rendering
import Synchronization
import TestSupport

@testable import Ingest

/// The media of random edits, and what probing finds in them: what a farm knows of an edit's assets, in this process.
final class RandomEditMedia: Sendable {
    private struct Asset: Sendable {
        var path: String
        var known: CompilerAsset
        var indexes: [Int: FrameIndex]
    }

    let folder: TemporaryFolder
    private let probed = Mutex<[AssetSource: Asset]>([:])

    init() async throws {
        folder = try TemporaryFolder()
        try await RandomMedia.make(in: folder.url.path)
    }

    /// For edits of generated pictures and of what is in `folder`.
    init(folder: TemporaryFolder) { self.folder = folder }

    /// `text` compiled, and planned once for each number of segments.
    /// - Parameters:
    ///   - size: of the output, where that is not the edit's.
    ///   - preset: in place of the edit's outputs; nil keeps those.
    func plans(
        _ text: String,
        segments: [Int],
        size: PictureSize? = nil,
        preset: String? = nil
    ) throws -> [RenderPlan] {
        let read = EditReader.read(text)
        guard let document = read.document, case .edit(let edit) = document else {
            throw Refused(findings: read.findings)
        }
        let (assets, nested) = (try assets(of: edit), try nested(in: edit))
        let options = CompileOptions(preset: preset)
        let result = EditCompiler.compile(document, assets: assets, nested: nested, options: options)
        guard var composition = result.composition else { throw Refused(findings: result.findings) }
        if let size { composition.outputs[0].size = size }
        let all = nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets }
        let facts = Dictionary(all.map { ($0.digest, $0.facts) }, uniquingKeysWith: { first, _ in first })
        return try segments.map {
            try Planner.plan(composition, output: 0, facts: facts, segmentCount: $0)
        }
    }

    private func assets(of edit: Edit) throws -> [String: CompilerAsset] {
        var assets: [String: CompilerAsset] = [:]
        for (name, source) in edit.assetSources {
            if case .edit = source { continue }
            assets[name] = try asset(source).known
        }
        for font in RandomMedia.fonts { assets["font:" + font] = try asset(.path(font)).known }
        return assets
    }

    private func nested(in edit: Edit) throws -> [String: NestedEdit] {
        var nested: [String: NestedEdit] = [:]
        for (name, source) in edit.assetSources {
            guard case .edit(let file, let parameters) = source else { continue }
            let text = try String(contentsOf: URL(fileURLWithPath: folder.path(file)), encoding: .utf8)
            let read = EditReader.read(text, parameters: parameters)
            guard case .edit(let inner) = read.document else { throw Refused(findings: read.findings) }
            nested[name] = NestedEdit(
                file: file,
                read: read,
                assets: try assets(of: inner),
                nested: try self.nested(in: inner)
            )
        }
        return nested
    }

    /// Opened anew, as each task does.
    func sources(_ digests: [ContentDigest]) throws -> [RenderSource] {
        try digests.map { digest in
            let all = probed.withLock { Array($0.values) }
            guard let asset = all.first(where: { $0.known.digest == digest }) else { throw Missing(digest: digest) }
            let bytes = try FileByteSource(path: asset.path)
            return RenderSource(bytes: bytes, facts: asset.known.facts, indexes: asset.indexes)
        }
    }

    private func asset(_ source: AssetSource) throws -> Asset {
        if let known = probed.withLock({ $0[source] }) { return known }
        let found = try probe(file(of: source))
        probed.withLock { $0[source] = found }
        return found
    }

    /// As the client makes files of what is not one.
    private func file(of source: AssetSource) throws -> String {
        switch source {
        case .path(let path): return path.hasPrefix("/") ? path : folder.path(path)
        case .sequence(let pattern, let rate):
            let path = folder.path("numbered-\(UUID().uuidString).mov")
            try ImageSequence(pattern: folder.path(pattern), frameRate: rate).write(to: path)
            return path
        case .generated(let picture): return try file(picture.bytes)
        case .generatedSound(let sound): return try file(sound.bytes)
        case .raw(let path, let format):
            let raw = try RawFile(path: folder.path(path), format: format)
            let written = folder.path("raw-\(UUID().uuidString).\(raw.fileExtension)")
            try raw.write(to: written)
            return written
        case .url, .digest, .speech, .edit: throw CocoaError(.fileNoSuchFile)
        }
    }

    private func file(_ bytes: Data) throws -> String {
        let path = folder.path("generated-\(UUID().uuidString)")
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    private func probe(_ path: String) throws -> Asset {
        let digest = ContentDigest(of: try Data(contentsOf: URL(fileURLWithPath: path)))
        let bytes = try FileByteSource(path: path)
        if let font = try FontSource.facts(of: bytes) {
            return Asset(path: path, known: CompilerAsset(digest: digest, facts: font), indexes: [:])
        }
        if let table = try ColorTableSource.facts(of: bytes) {
            return Asset(path: path, known: CompilerAsset(digest: digest, facts: table), indexes: [:])
        }
        if let cues = try SubtitleSource.facts(of: bytes) {
            return Asset(path: path, known: CompilerAsset(digest: digest, facts: cues), indexes: [:])
        }
        let (facts, indexes) = try AssetProbe.probe(bytes)
        let byStream = Dictionary(uniqueKeysWithValues: indexes.map { ($0.streamIndex, $0) })
        return Asset(path: path, known: CompilerAsset(digest: digest, facts: facts), indexes: byStream)
    }

    struct Refused: Error, CustomStringConvertible {
        let findings: [Finding]
        var description: String { findings.filter { $0.severity == .error }.map { "\($0)" }.joined(separator: "\n") }
    }

    struct Missing: Error {
        let digest: ContentDigest
    }
}

extension NestedEdit {
    /// Its own and those of the edits in it.
    fileprivate var allAssets: [CompilerAsset] { nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets } }
}
