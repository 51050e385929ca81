package import CompositionModel

/// An edit that another one uses as an asset, with all that is known of what it uses itself.
package struct NestedEdit: Sendable {
    /// The name of its file in findings.
    package var file: String
    /// The edit as it was read.
    package var read: EditReadResult
    /// What is known of its assets, for ``EditCompiler/compile(_:assets:nested:unusable:options:)``.
    package var assets: [String: CompilerAsset]
    /// Its assets of which nothing can be known.
    package var unusable: [String: UnusableAsset]
    /// The edits that it uses as assets itself.
    package var nested: [String: NestedEdit]

    package init(
        file: String,
        read: EditReadResult,
        assets: [String: CompilerAsset],
        unusable: [String: UnusableAsset] = [:],
        nested: [String: NestedEdit] = [:]
    ) {
        self.file = file
        self.read = read
        self.assets = assets
        self.unusable = unusable
        self.nested = nested
    }
}

extension NestedEdit {
    /// The assets of this edit and of all that it uses.
    var allAssets: [CompilerAsset] { nested.values.reduce(Array(assets.values)) { $0 + $1.allAssets } }
}

/// Compiles the edits that an edit uses as assets, the innermost first.
struct NestedCompilation {
    let log: FindingLog
    let allowance: CompileAllowance
    /// How deep the edit that uses them is nested itself.
    let depth: Int

    /// The compiled edits as assets, by name; one that is missing has left a finding.
    func assets(_ nested: [String: NestedEdit], of document: EditDocument) -> [String: CompilerAsset] {
        var assets: [String: CompilerAsset] = [:]
        for (name, edit) in nested.sorted(by: { $0.key < $1.key }) {
            let mark = document.mark(ofAsset: name)
            guard depth < Limits.nesting else {
                log.error(mark, .limit, "edits are nested more than \(Limits.nesting) deep here")
                continue
            }
            if let asset = asset(edit, mark) { assets[name] = asset }
        }
        return assets
    }

    private func asset(_ edit: NestedEdit, _ mark: SourceMark) -> CompilerAsset? {
        guard var document = edit.read.document else {
            for finding in edit.read.findings { log.add(finding.inside(edit.file, usedAt: mark)) }
            return nil
        }
        // Its outputs are nobody's business here.
        if case .edit(var own) = document {
            own.outputs = []
            document = .edit(own)
        }
        let result = EditCompiler.compile(
            document,
            assets: edit.assets,
            nested: edit.nested,
            unusable: edit.unusable,
            // A preset that every format suits.
            options: CompileOptions(preset: "lossless"),
            within: allowance,
            depth: depth + 1
        )
        for finding in edit.read.findings + result.findings.map(edit.read.located)
        where !finding.breaks(.impliedOutput) {
            log.add(finding.inside(edit.file))
        }
        guard var composition = result.composition else { return nil }
        composition.outputs = []
        do {
            return CompilerAsset(
                digest: try ContentDigest(canonical: composition, prefix: "cutfarm/nested/1\n"),
                facts: try composition.nestedFacts(),
                composition: composition
            )
        } catch {
            log.error(mark, .timeOverflow, "a time of this edit is too large or too fine to compute with exactly")
            return nil
        }
    }
}

extension EditDocument {
    /// The place where the document names the asset.
    fileprivate func mark(ofAsset name: String) -> SourceMark {
        if case .edit(let edit) = self { edit.assets[name]?.mark ?? .nowhere } else { .nowhere }
    }
}

extension Finding {
    /// This finding as one of a nested edit that is used at `mark`, where a parameter stands that the edit does not
    /// have.
    package func inside(_ file: String, usedAt mark: SourceMark) -> Finding {
        let isGiven = breaks(.unknownParameter) && line == 0 && self.file == nil
        guard isGiven else { return inside(file) }
        return mark.finding(rule: .unknownParameter, "\(file): \(message)", suggestion: suggestion)
    }
}
