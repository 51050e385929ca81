import CompositionModel
import Timing

/// What all readers of one document share: what was found wrong, and what can be judged only when all is read.
///
/// Each object of the edit language has a reader of its own (``SegmentReader``, ``TitleReader``, …), which makes its
/// value and leaves here what is wrong with it. A method that returns nil has made its finding, or met a value whose
/// finding was made before; or the task is cancelled.
final class ReadingContext {
    private(set) var list = FindingShortlist()
    /// Every time that was read, to be tried at the edit's rate once that is known.
    var times: [Marked<EditTime>] = []
    /// Names of the assets that segments, titles, transitions and effects use, where they are written.
    var usedAssets: [Marked<String>] = []
    /// UTF-8 bytes that parameters have put into the edit, and into those of the same submission before it.
    var parameterBytes = 0

    /// - Parameter findings: what was found before, while the text was taken apart.
    init(findings: [Finding] = []) {
        for finding in findings { add(finding) }
    }

    /// Whether any finding is an error, listed or not.
    var hasErrors: Bool { list.hasErrors }

    /// The findings that are listed, in the order in which they were made.
    var findings: [Finding] { list.findings }

    /// Makes a finding at `mark`.
    func report(
        _ rule: FindingRule,
        _ mark: SourceMark,
        _ message: String,
        suggestion: String? = nil,
        severity: Finding.Severity = .error
    ) {
        guard list.lists(severity, rule) else { return list.leaveOut(severity) }
        add(mark.finding(severity, rule: rule, message, suggestion: suggestion))
    }

    func add(_ finding: Finding) { list.add(finding) }

    /// Refuses `what`, a word of the edit language that this version does not render yet.
    func unsupported(_ mark: SourceMark, _ what: String) {
        report(.unsupported, mark, "\(what) is part of the edit language, but this version does not render it yet")
    }

    /// Says that `wanted` is expected in place of `node`; nothing when `node` could not be read, which is said already.
    func wrongType(_ node: JSONNode, wanted: String, suggestion: String? = nil) {
        if case .invalid = node.value { return }
        report(.wrongType, node.mark, "\(wanted) is expected here, not \(node.kindName)", suggestion: suggestion)
    }
}
