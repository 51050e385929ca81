package import CompositionModel
package import EditLanguage

/// An edit that was compiled on this machine against its probed assets, by the code that a coordinator uses.
package struct LocalCompilation: Sendable {
    /// The canonical composition.
    package let composition: Composition
    /// The warnings and notes of reading and compiling the edit.
    package let findings: [Finding]
    /// The facts of every asset, also of those in nested edits.
    package let facts: [ContentDigest: AssetFacts]
    /// The place of every asset's bytes.
    package let places: [ContentDigest: AssetSource]

    /// Resolves the fonts, probes the assets and compiles the edit. A font that is missing hides no other finding.
    /// - Parameters:
    ///   - probe: opens media and fonts.
    ///   - options: the preset, the range and what else replaces the edit's own words.
    ///   - catalog: knows the assets that are named by their digest; nil when there is none to ask.
    ///   - check: finds further errors in the document, told together with those of the compiler.
    /// - Throws: ``EditFile/Refusal/findings(_:)`` with every finding when the edit has errors or there are assets that
    ///   cannot be used; `RenderFailed` when probing fails although the files may be good; `CancellationError`; what
    ///   `catalog` throws.
    package init(
        _ file: EditFile,
        probe: LocalProbe,
        options: CompileOptions,
        catalog: EditFile.Catalog? = nil,
        check: (EditDocument) -> [Finding] = { _ in [] }
    ) async throws {
        let (file, fonts) = try await FontFinder(process: probe.process).search(file)
        guard let document = file.read.document else { throw EditFile.Refusal.findings(file.read.findings) }
        let known = try await file.probed(by: probe, catalog: catalog)
        let result = EditCompiler.compile(document, known, options)
        try Task.checkCancellation()
        let errors = check(document) + fonts
        // The compiler knows a font that is missing by its family alone; the search says more.
        let compiled = result.findings.filter { fonts.isEmpty || !$0.breaks(.fontMissing) }
        let findings = file.read.findings + (compiled + errors).map(file.read.located)
        guard let composition = result.composition, errors.isEmpty else { throw EditFile.Refusal.findings(findings) }
        self.composition = composition
        self.findings = findings
        let all = known.located(in: file)
        facts = Dictionary(all.map { ($0.asset.digest, $0.asset.facts) }, uniquingKeysWith: { first, _ in first })
        places = Dictionary(all.map { ($0.asset.digest, $0.source) }, uniquingKeysWith: { first, _ in first })
    }
}

extension EditFile {
    /// Everything that is wrong with an edit of which some assets cannot be used.
    /// - Parameter known: the facts of its assets, and the reasons why others cannot be used.
    /// - Returns: the findings of reading and compiling it, in this order.
    package func findings(with known: NestedEdit, options: CompileOptions) -> [Finding] {
        guard let document = read.document else { return read.findings }
        return read.findings + EditCompiler.compile(document, known, options).findings.map(read.located)
    }
}

extension EditCompiler {
    fileprivate static func compile(
        _ document: EditDocument,
        _ known: NestedEdit,
        _ options: CompileOptions
    ) -> CompileResult {
        compile(
            document,
            assets: known.assets,
            nested: known.nested,
            unusable: known.unusable,
            options: options
        )
    }
}

extension NestedEdit {
    /// The assets of the edit and of the edits nested in it, with the places of their bytes.
    fileprivate func located(in file: EditFile) -> [(asset: CompilerAsset, source: AssetSource)] {
        let own = assets.compactMap { name, asset in file.assets[name].map { (asset, $0) } }
        return nested.reduce(own) { all, edit in
            all + (file.nested[edit.key].map { edit.value.located(in: $0) } ?? [])
        }
    }
}
