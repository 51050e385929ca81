public import CompositionModel

/// Turns an edit into its canonical form, or says everything that keeps it from having one.
///
/// Pure: the same edit, facts and options give the same composition on every machine. Nothing is decoded.
public enum EditCompiler {
    /// - Parameters:
    ///   - assets: what is known of every asset that the document uses, by the name it has there. A composition's
    ///     assets are found by their digest, whatever their names.
    ///   - nested: the edits that it uses as assets, by name.
    ///   - unusable: assets of which nothing can be known, by name: each is an error, and what else is wrong is found
    ///     as far as it does not depend on them.
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
            if !names.isEmpty { log.holds = compilation.judgeable.contains }
            composition = compilation.composition()
            log.judge()
        case .composition(let given):
            let adoption = CompositionAdoption(assets: assets, unusable: names, options: options, log: log)
            composition = adoption.adopt(given)
        }
        log.add(inside.list)
        for finding in document.findings(of: unusable) { log.add(finding) }
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
    private(set) var list = FindingShortlist()
    private var known: Set<Finding> = []
    private(set) var hasErrors = false
    /// Whether a finding is listed at all: one that does not hold keeps compiling from going on, until ``judge()``.
    var holds: (Finding) -> Bool = { _ in true }

    func add(_ finding: Finding) {
        if finding.severity == .error { hasErrors = true }
        guard holds(finding), !known.contains(finding) else { return }
        if list.add(finding) { known.insert(finding) }
    }

    /// What another log or check has found, and how many findings that left out.
    func add(_ other: FindingShortlist) {
        for finding in other.findings { add(finding) }
        list.leaveOut(of: other)
        if other.hasErrors { hasErrors = true }
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

    /// Forgets findings that did not hold; from here on all do.
    func judge() {
        hasErrors = list.hasErrors
        holds = { _ in true }
    }

    var inOrder: [Finding] {
        list.findings.enumerated().sorted {
            ($0.element.file ?? "", $0.element.line, $0.element.column, $0.offset)
                < ($1.element.file ?? "", $1.element.line, $1.element.column, $1.offset)
        }.map(\.element) + list.summary
    }
}
