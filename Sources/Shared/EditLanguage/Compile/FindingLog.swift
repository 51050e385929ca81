import CompositionModel

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

    /// Adds what another log or check has found, and how many findings that left out.
    func add(_ other: FindingShortlist) {
        for finding in other.findings { add(finding) }
        list.leaveOut(of: other)
        if other.hasErrors { hasErrors = true }
    }

    /// An error at `mark`.
    func error(_ mark: SourceMark, _ rule: FindingRule, _ message: String, suggestion: String? = nil) {
        add(mark.finding(rule: rule, message, suggestion: suggestion))
    }

    func warning(_ mark: SourceMark, _ rule: FindingRule, _ message: String) {
        add(mark.finding(.warning, rule: rule, message))
    }

    func note(_ mark: SourceMark, _ rule: FindingRule, _ message: String) {
        add(mark.finding(.note, rule: rule, message))
    }

    /// Forgets findings that did not hold; from here on all do.
    func judge() {
        hasErrors = list.hasErrors
        holds = { _ in true }
    }

    /// The findings in the order of the text. A time past an end is to be written anew: that it lies between two frames
    /// as well is not said.
    var inOrder: [Finding] {
        let ends = [FindingRule.pastEnd, .inPastEnd, .rangePastEnd].map(\.rawValue)
        let past = Set(list.findings.filter { ends.contains($0.rule) }.map { [$0.file ?? "", $0.pointer] })
        let findings = list.findings.filter { finding in
            finding.rule != FindingRule.offFrame.rawValue || !past.contains([finding.file ?? "", finding.pointer])
        }
        return findings.enumerated().sorted {
            ($0.element.file ?? "", $0.element.line, $0.element.column, $0.offset)
                < ($1.element.file ?? "", $1.element.line, $1.element.column, $1.offset)
        }.map(\.element) + list.summary
    }
}
