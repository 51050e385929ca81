/// Turns an edit into its canonical form, or says everything that keeps it from having one.
///
/// Pure: the same edit, facts and options give the same composition on every machine. Nothing is decoded.
public enum EditCompiler {
    /// - Parameters:
    ///   - assets: what is known of every asset that the document uses, by the name it has there. A composition's assets
    ///     are found by their digest, whatever their names.
    ///   - nested: the edits that it uses as assets, by name.
    ///   - unusable: assets of which nothing can be known, by name: each is an error, and what else is wrong is found as
    ///     far as it does not depend on them.
    ///   - options: from the command line; they replace what the document says.
    public static func compile(
        _ document: EditDocument,
        assets: [String: CompilerAsset],
        nested: [String: NestedEdit] = [:],
        unusable: [String: UnusableAsset] = [:],
        options: CompileOptions = CompileOptions()
    ) -> CompileResult {
        compile(
            document,
            assets: assets,
            nested: nested,
            unusable: unusable,
            options: options,
            within: CompileAllowance(),
            depth: 0
        )
    }

    /// - Parameters:
    ///   - allowance: of the edit that is rendered and all that are nested in it.
    ///   - depth: 0 of the edit that is rendered, 1 of what it uses as assets.
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
        let composition: Composition?
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
            composition = compilation.composition()
            if !names.isEmpty { log.keep(compilation.judgeable.contains) }
        case .composition(let given):
            let adoption = CompositionAdoption(assets: assets, unusable: names, options: options, log: log)
            composition = adoption.adopt(given)
        }
        for finding in inside.inOrder + document.findings(of: unusable) { log.add(finding) }
        return CompileResult(composition: log.hasErrors ? nil : composition, findings: log.inOrder)
    }
}

/// An asset as compiling sees it.
public struct CompilerAsset: Sendable, Hashable {
    public var digest: ContentDigest
    public var facts: AssetFacts
    /// What a nested edit compiled to; nil of everything that has bytes.
    var composition: Composition?

    public init(digest: ContentDigest, facts: AssetFacts) {
        self.digest = digest
        self.facts = facts
    }

    init(digest: ContentDigest, facts: AssetFacts, composition: Composition) {
        self.digest = digest
        self.facts = facts
        self.composition = composition
    }
}

/// What the command line says over the document.
public struct CompileOptions: Sendable, Hashable {
    /// The name of a preset that replaces all outputs.
    public var preset: String?
    /// Start and duration on the timeline, as docs/time.md writes times: only that is rendered, of every output.
    public var range: [String]?

    public init(preset: String? = nil, range: [String]? = nil) {
        self.preset = preset
        self.range = range
    }
}

/// What came of compiling.
public struct CompileResult: Sendable, Hashable {
    /// Nil exactly when `findings` has an error.
    public var composition: Composition?
    /// In the order of the text; those of no place come first.
    public var findings: [Finding]
}

/// What an edit and all edits nested in it may make of themselves together: small texts multiply.
final class CompileAllowance {
    /// Frames over which speeds change.
    var rampSteps = Limits.rampFrames
    /// Instructions and their layers.
    var pieces = Limits.mostSegments
}

/// Collects findings while a document is compiled: each once, and no more than anyone reads.
final class FindingLog {
    static let most = EditReader.findingLimit

    private var findings: [Finding] = []
    private var known: Set<Finding> = []
    /// Those that were not taken.
    private var rest = 0
    private(set) var hasErrors = false

    func add(_ finding: Finding) {
        if finding.severity == .error { hasErrors = true }
        guard findings.count < FindingLog.most else {
            if !known.contains(finding) { rest += 1 }
            return
        }
        if known.insert(finding).inserted { findings.append(finding) }
    }

    /// An error at `mark`.
    func error(_ mark: SourceMark, _ rule: String, _ message: String, suggestion: String? = nil) {
        add(mark.finding(rule: rule, message, suggestion: suggestion))
    }

    func warning(_ mark: SourceMark, _ rule: String, _ message: String) {
        add(mark.finding(.warning, rule: rule, message))
    }

    func note(_ mark: SourceMark, _ rule: String, _ message: String) {
        add(mark.finding(.note, rule: rule, message))
    }

    /// Forgets findings that do not hold.
    func keep(_ holds: (Finding) -> Bool) {
        findings.removeAll { !holds($0) }
        hasErrors = findings.contains { $0.severity == .error }
    }

    var inOrder: [Finding] {
        findings.enumerated().sorted {
            ($0.element.file ?? "", $0.element.line, $0.element.column, $0.offset)
                < ($1.element.file ?? "", $1.element.line, $1.element.column, $1.offset)
        }.map(\.element) + Finding.rest(rest, isError: hasErrors)
    }
}
