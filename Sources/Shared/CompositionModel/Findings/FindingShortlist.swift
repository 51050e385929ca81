/// A list with no more findings than a reader can use. Errors take precedence, so that the reason for a refusal is
/// never left out.
package struct FindingShortlist {
    /// The most findings that are listed.
    package static let most = 100
    /// The most findings of one rule that are listed; errors do not count.
    package static let mostOfRule = 20

    package private(set) var findings: [Finding] = []
    /// The number of findings that are not listed.
    package private(set) var rest = 0
    /// The number of all findings, listed or not.
    package var count: Int { findings.count + rest }
    /// Whether any finding is an error, listed or not.
    package private(set) var hasErrors = false
    private var restHasErrors = false
    /// The number of findings that are listed and are no errors.
    private var milder = 0
    private var counts: [String: Int] = [:]

    package init() {}

    /// Adds a finding, or counts it when the list or its rule is full. An error displaces the last finding that is
    /// none.
    /// - Returns: Whether the finding is listed.
    @discardableResult
    package mutating func add(_ finding: Finding) -> Bool {
        let isError = finding.severity == .error
        guard isError || counts[finding.rule, default: 0] < FindingShortlist.mostOfRule else {
            leaveOut(1, areErrors: false)
            return false
        }
        guard findings.count < FindingShortlist.most || isError && displaceOne() else {
            leaveOut(1, areErrors: isError)
            return false
        }
        findings.append(finding)
        if isError {
            hasErrors = true
        } else {
            milder += 1
            counts[finding.rule, default: 0] += 1
        }
        return true
    }

    /// Whether a finding of this weight and rule would be listed.
    package func lists(_ severity: Finding.Severity, _ rule: FindingRule) -> Bool {
        let hasRoom = findings.count < FindingShortlist.most
        guard severity == .error else {
            return hasRoom && counts[rule.rawValue, default: 0] < FindingShortlist.mostOfRule
        }
        return hasRoom || milder > 0
    }

    /// Counts a finding that is not listed. To make each of very many, with its place, takes long.
    package mutating func leaveOut(_ severity: Finding.Severity) { leaveOut(1, areErrors: severity == .error) }

    /// Adds the findings of another list, and the number of those that it left out.
    package mutating func add(_ other: FindingShortlist) {
        for finding in other.findings { add(finding) }
        leaveOut(of: other)
    }

    /// Counts the findings that another list left out.
    package mutating func leaveOut(of other: FindingShortlist) { leaveOut(other.rest, areErrors: other.restHasErrors) }

    private mutating func leaveOut(_ count: Int, areErrors: Bool) {
        rest += count
        if areErrors { (hasErrors, restHasErrors) = (true, true) }
    }

    /// Removes the last finding that is no error, to make room for an error.
    private mutating func displaceOne() -> Bool {
        guard milder > 0, let last = findings.lastIndex(where: { $0.severity != .error }) else { return false }
        findings.remove(at: last)
        milder -= 1
        leaveOut(1, areErrors: false)
        return true
    }

    /// One finding that says how many are not listed; it is an error when one of those is. Empty when all are listed.
    package var summary: [Finding] {
        guard rest > 0 else { return [] }
        let message = rest == 1 ? "1 more finding is not listed" : "\(rest) more findings are not listed"
        let severity: Finding.Severity = restHasErrors ? .error : .note
        return [SourceMark.nowhere.finding(severity, rule: .limit, message)]
    }
}
