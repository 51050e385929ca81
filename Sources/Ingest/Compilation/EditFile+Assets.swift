package import CompositionModel
import EditLanguage
import Foundation
import Sandbox
import Storage

extension EditFile {
    /// Looks up the facts of an asset that an edit names by its digest.
    /// - Returns: nil when nobody has the asset.
    package typealias Catalog = @Sendable (ContentDigest) async throws -> AssetFacts?

    /// Probes the assets of this edit and of the edits nested in it.
    /// - Parameters:
    ///   - probe: opens the files of this machine.
    ///   - catalog: knows the assets that are named by their digest; nil when there is none to ask.
    /// - Returns: the facts of each asset, or the reason why it cannot be used.
    /// - Throws: `RenderFailed` that names the asset when probing fails although the file may be good;
    ///   `CancellationError`; what `catalog` throws.
    func probed(by probe: LocalProbe, catalog: Catalog?) async throws -> NestedEdit {
        var edit = NestedEdit(file: path, read: read, assets: [:])
        for (name, source) in assets.sorted(by: { $0.key < $1.key }) {
            switch try await AssetLookup(name: name, source: source).result(probe, catalog) {
            case .success(let asset): edit.assets[name] = asset
            case .failure(let refusal): edit.unusable[name] = refusal.asset
            }
        }
        for (name, file) in nested { edit.nested[name] = try await file.probed(by: probe, catalog: catalog) }
        return edit
    }
}

/// Finds out whether one asset of an edit can be used.
struct AssetLookup {
    let name: String
    let source: AssetSource

    /// The reason why the asset cannot be used.
    struct Refusal: Error {
        let asset: UnusableAsset

        init(_ reason: UnusableAsset.Reason, _ message: String) { asset = UnusableAsset(reason, message) }
    }

    func result(
        _ probe: LocalProbe,
        _ catalog: EditFile.Catalog?
    ) async throws -> Result<CompilerAsset, Refusal> {
        if let found = source.refusal { return .failure(Refusal(found.reason, found.message)) }
        if case .digest(let digest) = source, let catalog { return try await result(of: digest, catalog) }
        if case .url(let remote) = source {
            let advice = "submit the edit to a farm, whose coordinator does, or download it and name the file"
            return .failure(Refusal(.unsupported, "\(remote.address) is not fetched by this machine; \(advice)"))
        }
        do {
            if let asset = try await probe.probe(source) { return .success(asset) }
            let advice = "say where its file is: --asset \(name)=PATH"
            return .failure(Refusal(.missing, "it is named by its digest; \(advice)"))
        } catch let error as MediaRefusal {
            return .failure(Refusal(.unreadable, error.description))
        } catch let error as RenderFailed where error.failure.isPermanent {
            return .failure(Refusal(.unreadable, error.failure.message))
        } catch let error as RenderFailed {
            var failure = error.failure
            failure.message = "Asset “\(name)”: \(failure.message)"
            throw RenderFailed(failure)
        } catch let error as FileDigest.Unreadable {
            return .failure(Refusal(.unreadable, sentence(error)))
        }
    }

    private func result(
        of digest: ContentDigest,
        _ catalog: EditFile.Catalog
    ) async throws -> Result<CompilerAsset, Refusal> {
        guard let facts = try await catalog(digest) else {
            return .failure(Refusal(.missing, "the farm does not have \(digest)"))
        }
        return .success(CompilerAsset(digest: digest, facts: facts))
    }

    private func sentence(_ error: FileDigest.Unreadable) -> String {
        let sentence = error.description.hasSuffix(".") ? String(error.description.dropLast()) : error.description
        guard case .path(let path) = source, let near = AssetLookup.nearFile(path) else { return sentence }
        return sentence + "; \"\(near)\" is there"
    }

    /// The name of a file in the same folder that differs little from the one at `path`.
    /// - Returns: nil when the file is there, or no name is near.
    static func nearFile(_ path: String) -> String? {
        let url = URL(fileURLWithPath: path)
        guard !FileManager.default.fileExists(atPath: path) else { return nil }
        let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
        return Spelling.nearest(to: url.lastPathComponent, in: (names ?? []).sorted().prefix(10_000))
    }
}
