package import CompositionModel
package import EditLanguage
package import Planning

/// An edit's text compiled as a client and a coordinator do it.
package struct Compiled {
    package let composition: Composition?
    package let findings: [Finding]
    package let facts: [ContentDigest: AssetFacts]

    package init(
        _ text: String,
        _ assets: [String: CompilerAsset],
        _ options: CompileOptions = CompileOptions(),
        nested: [String: NestedEdit] = [:],
        unusable: [String: UnusableAsset] = [:]
    ) throws {
        let read = EditReader.read(text)
        let document = try read.document ?? { throw NoEdit(findings: read.findings) }()
        let result = EditCompiler.compile(
            document,
            assets: assets,
            nested: nested,
            unusable: unusable,
            options: options
        )
        composition = result.composition
        findings = result.findings
        let all = nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets }
        facts = Dictionary(all.map { ($0.digest, $0.facts) }) { first, _ in first }
    }

    /// `[ A ]~[ B ]` with a dissolve, a crossfade and two outputs.
    package static func dissolveWithSound() throws -> Composition {
        let items = [
            #"{ "asset": "a", "duration": "5s", "volume": "-3dB" }"#,
            #"{ "transition": "dissolve", "duration": "1s" }"#, #"{ "asset": "a", "in": "20s", "duration": "5s" }"#,
        ]
        let outputs = #"[{ "preset": "h264", "range": ["1s", "2s"] }, { "preset": "lossless" }]"#
        let text = editText(items, assets: ["a"], outputs: outputs)
        let compiled = try Compiled(text, ["a": SampleAsset.minute("a")])
        return try compiled.composition ?? { throw NoEdit(findings: compiled.errors) }()
    }

    package var errors: [Finding] { findings.filter { $0.severity == .error } }

    package func plan(output: Int = 0, segmentCount: Int? = nil) throws -> RenderPlan {
        let composition = try composition ?? { throw NoEdit(findings: errors) }()
        return try Planner.plan(composition, output: output, facts: facts, segmentCount: segmentCount)
    }
}

/// The text of a sample that was meant to be an edit is none.
private struct NoEdit: Error {
    let findings: [Finding]
}

extension NestedEdit {
    /// From its text, which is called `file`.
    package init(
        _ file: String,
        _ text: String,
        _ assets: [String: CompilerAsset],
        nested: [String: NestedEdit] = [:],
        parameters: [String: String] = [:]
    ) {
        self.init(
            file: file,
            read: EditReader.read(text, parameters: parameters),
            assets: assets,
            nested: nested
        )
    }

    fileprivate var allAssets: [CompilerAsset] { nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets } }
}
