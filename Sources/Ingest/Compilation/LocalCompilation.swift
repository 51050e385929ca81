import Client
import Foundation
import Sandbox
import Shared
import Storage

/// An edit compiled on this machine against its probed assets, by the code that a coordinator uses.
struct LocalCompilation: Sendable {
    let composition: Composition
    /// Warnings and notes.
    let findings: [Finding]
    let facts: [ContentDigest: AssetFacts]
    /// Where each asset's bytes are.
    let places: [ContentDigest: AssetSource]

    /// - Parameters:
    ///   - farm: asked for what assets are that the edit names by their digest.
    ///   - checksFiles: whether the names of the edit's own files are looked at: the command may name others.
    /// - Throws: ``CommandFailure`` with every finding when the edit has errors or there are assets that cannot be
    ///   used.
    init(
        _ file: EditFile,
        probe: LocalProbe,
        options: OutputOptions,
        farm: CoordinatorConnection? = nil,
        checksFiles: Bool = false
    ) async throws {
        let file = try await probe.fonts.resolved(file)
        guard let document = file.read.document else {
            throw CommandFailure(.usage, findings: file.read.findings, of: file.path)
        }
        let known = try await LocalCompilation.edit(file, probe: probe, farm: farm)
        let result = EditCompiler.compile(
            document,
            assets: known.assets,
            nested: known.nested,
            unusable: known.unusable,
            options: CompileOptions(preset: options.preset, range: options.span)
        )
        let names = checksFiles && options.preset == nil ? WrittenOutput.findings(document) : []
        let findings = file.read.findings + (result.findings + names).map(file.read.located)
        guard let composition = result.composition, names.isEmpty else {
            throw CommandFailure(.usage, findings: findings, of: file.path)
        }
        self.composition = composition
        self.findings = findings
        let all = known.located(in: file)
        facts = Dictionary(all.map { ($0.asset.digest, $0.asset.facts) }, uniquingKeysWith: { first, _ in first })
        places = Dictionary(all.map { ($0.asset.digest, $0.source) }, uniquingKeysWith: { first, _ in first })
    }

    /// What is known of an edit's assets, and of those of the edits among them.
    private static func edit(
        _ file: EditFile,
        probe: LocalProbe,
        farm: CoordinatorConnection?
    ) async throws -> NestedEdit {
        var edit = NestedEdit(file: file.path, read: file.read, assets: [:])
        for (name, source) in file.assets.sorted(by: { $0.key < $1.key }) {
            switch try await asset(name, source, probe: probe, farm: farm) {
            case .success(let asset): edit.assets[name] = asset
            case .failure(let refusal): edit.unusable[name] = refusal.asset
            }
        }
        for (name, nested) in file.nested { edit.nested[name] = try await self.edit(nested, probe: probe, farm: farm) }
        return edit
    }

    private struct Unusable: Error {
        let asset: UnusableAsset

        init(_ reason: UnusableAsset.Reason, _ message: String) { asset = UnusableAsset(reason, message) }
    }

    /// - Throws: what is no fault of the file.
    private static func asset(
        _ name: String,
        _ source: AssetSource,
        probe: LocalProbe,
        farm: CoordinatorConnection?
    ) async throws -> Result<CompilerAsset, Unusable> {
        if let found = AssetDelivery.refusal(of: source) { return .failure(Unusable(found.reason, found.message)) }
        if case .generated(let picture) = source {
            return .success(CompilerAsset(digest: picture.digest, facts: picture.facts))
        }
        if case .generatedSound(let sound) = source {
            return .success(CompilerAsset(digest: sound.digest, facts: sound.facts))
        }
        if case .speech(let text) = source { return try await asset(name) { try await probe.probe(speech: text) } }
        if case .digest(let digest) = source, let farm { return try await asset(digest, of: farm) }
        if case .sequence(let pattern, let rate) = source {
            return try await asset(name) { try await probe.probe(sequence: pattern, at: rate) }
        }
        if case .raw(let path, let format) = source {
            return try await asset(name) { try await probe.probe(raw: path, as: format) }
        }
        guard case .path(let path) = source else {
            let way = "say where its file is: --asset \(name)=PATH"
            return .failure(Unusable(.missing, "it is named by its digest; \(way)"))
        }
        return try await asset(name, path: path) { try await probe.probe(path) }
    }

    private static func asset(
        _ name: String,
        path: String? = nil,
        _ probe: () async throws -> CompilerAsset
    ) async throws -> Result<CompilerAsset, Unusable> {
        do {
            return .success(try await probe())
        } catch let error as ImageSequence.Refusal {
            return .failure(Unusable(.unreadable, error.description))
        } catch let error as RenderFailed where error.failure.isPermanent {
            return .failure(Unusable(.unreadable, error.failure.message))
        } catch let error as RenderFailed {
            let failure = CommandFailure(error.failure)
            throw CommandFailure(failure.status, lines: failure.lines.map { "Asset “\(name)”: \($0)" })
        } catch let error as FileDigest.Unreadable {
            let nearest = path.flatMap(nearFile).map { "; \"\($0)\" is there" } ?? ""
            let sentence = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
            return .failure(Unusable(.unreadable, sentence + nearest))
        }
    }

    /// A file beside the one that is not there, whose name is nearly the same.
    static func nearFile(_ path: String) -> String? {
        let url = URL(fileURLWithPath: path)
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return Spelling.nearest(to: url.lastPathComponent, in: (names ?? []).sorted().prefix(10_000))
    }

    private static func asset(
        _ digest: ContentDigest,
        of farm: CoordinatorConnection
    ) async throws(ClientError) -> Result<CompilerAsset, Unusable> {
        do {
            if let facts = try await farm.record(of: digest).facts {
                return .success(CompilerAsset(digest: digest, facts: facts))
            }
        } catch .problem(let problem) where problem.status == 404 {}
        return .failure(Unusable(.missing, "the farm does not have \(digest)"))
    }
}

extension NestedEdit {
    /// All assets of it and of what it holds, with where their bytes are.
    fileprivate func located(in file: EditFile) -> [(asset: CompilerAsset, source: AssetSource)] {
        let own = assets.compactMap { name, asset in file.assets[name].map { (asset, $0) } }
        return nested.reduce(own) { all, edit in
            all + (file.nested[edit.key].map { edit.value.located(in: $0) } ?? [])
        }
    }
}
