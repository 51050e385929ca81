import CompositionModel

/// Turns an edit into its canonical form, or says everything that keeps it from having one.
///
/// Pure: the same edit, facts and options give the same composition on every machine. Nothing is decoded.
package enum EditCompiler {
    /// - Returns: No composition after an error, and when the task is cancelled.
    /// - Parameters:
    ///   - assets: what is known of every asset that the document uses, by the name it has there. A composition's
    ///     assets are found by their digest, whatever their names.
    ///   - nested: the edits that it uses as assets, by name.
    ///   - unusable: assets of which nothing can be known, by name: each is an error, and what else is wrong is found
    ///     as far as it does not depend on them.
    ///   - options: from the command line; they replace what the document says.
    package static func compile(
        _ document: EditDocument,
        assets: [String: CompilerAsset],
        nested: [String: NestedEdit] = [:],
        unusable: [String: UnusableAsset] = [:],
        options: CompileOptions = CompileOptions()
    ) -> CompileResult {
        SpellingAllowance.limited {
            compile(
                document,
                assets: assets,
                nested: nested,
                unusable: unusable,
                options: options,
                within: CompileAllowance(itemCount: nested.values.reduce(document.itemCount) { $0 + $1.itemCount }),
                depth: 0
            )
        }
    }

    /// - Parameters:
    ///   - allowance: shared by the edit that is rendered and all that are nested in it.
    ///   - depth: 0 for the edit that is rendered, 1 for those that it uses as assets.
    static func compile(
        _ document: EditDocument,
        assets: [String: CompilerAsset],
        nested: [String: NestedEdit],
        unusable: [String: UnusableAsset],
        options: CompileOptions,
        within allowance: CompileAllowance,
        depth: Int
    ) -> CompileResult {
        let log = FindingLog()
        let inside = FindingLog()
        let edits = NestedCompilation(log: inside, allowance: allowance, depth: depth).assets(nested, of: document)
        // What is wrong with an edit has been said; what does not depend on it is found all the same.
        let names = Set(unusable.keys).union(nested.keys.filter { edits[$0] == nil })
        let assets = assets.merging(edits) { _, edit in edit }
        var composition: Composition?
        switch document {
        case .edit(let edit):
            let compilation = EditCompilation(
                edit: edit,
                assets: assets,
                unusable: names,
                options: options,
                log: log,
                allowance: allowance
            )
            if !names.isEmpty { log.holds = compilation.judgeable.contains }
            composition = compilation.composition()
            log.judge()
        case .composition(let given):
            let adoption = CompositionAdoption(assets: assets, unusable: names, options: options, log: log)
            composition = adoption.adopt(given)
        }
        if let made = composition, !log.hasErrors, !inside.hasErrors, depth == 0 {
            let known = nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets }
            let matches = MatchResolver(
                composition: made,
                facts: Dictionary(known.map { ($0.digest, $0.facts) }) { first, _ in first },
                names: Array(assets.keys),
                log: log
            )
            composition?.outputs = matches.outputs(of: document, options)
        }
        log.add(inside.list)
        for finding in document.findings(of: unusable) { log.add(finding) }
        // A compilation that was stopped is not whole.
        let isWhole = !log.hasErrors && !Task.isCancelled
        return CompileResult(composition: isWhole ? composition : nil, findings: log.inOrder)
    }
}
