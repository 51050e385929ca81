import Client
import Foundation
import Shared

/// An edit compiled on this machine against its probed assets, by the code that a coordinator uses.
struct LocalCompilation: Sendable {
    let composition: Composition
    /// Warnings and notes.
    let findings: [Finding]
    let facts: [ContentDigest: AssetFacts]

    /// - Throws: ``CommandFailure`` with every finding when the edit has errors, or with the asset that cannot be used.
    init(_ file: EditFile, probe: LocalProbe, options: OutputOptions) async throws {
        guard let document = file.read.document else {
            throw CommandFailure(.usage, findings: file.read.findings, of: file.path)
        }
        var assets: [String: CompilerAsset] = [:]
        for (name, source) in file.assets.sorted(by: { $0.key < $1.key }) {
            assets[name] = try await LocalCompilation.asset(name, source, probe: probe)
        }
        let result = EditCompiler.compile(
            document,
            assets: assets,
            options: CompileOptions(preset: options.preset, range: options.span)
        )
        let findings = file.read.findings + result.findings.map(file.read.located)
        guard let composition = result.composition else {
            throw CommandFailure(.usage, findings: findings, of: file.path)
        }
        self.composition = composition
        self.findings = findings
        facts = Dictionary(assets.values.map { ($0.digest, $0.facts) }, uniquingKeysWith: { first, _ in first })
    }

    private static func asset(_ name: String, _ source: AssetSource, probe: LocalProbe) async throws -> CompilerAsset {
        switch source {
        case .path(let path): return try await probe.asset(path, named: "Asset “\(name)”")
        case .url(let address):
            throw CommandFailure(
                .usage,
                "Asset “\(name)”: the address \(address) cannot be taken in by this version; download it and name the file."
            )
        case .digest(let digest):
            throw CommandFailure(
                .usage,
                "Asset “\(name)” is named by its digest \(digest); say where its file is with --asset \(name)=PATH."
            )
        }
    }
}
