import CompositionModel
import EditLanguage

extension CommandFailure {
    /// Makes the failure of an edit. Every error and warning has a line of its own; notes about what was implied are no
    /// reason for a refusal.
    /// - Parameter file: the name of the edit that is refused.
    init(_ status: ExitStatus, findings: [Finding], of file: String) {
        let reasons = findings.filter { $0.severity != .note }
        self.init(status, lines: FindingsPrinter.lines(reasons, file: file), findings: findings)
    }
}

extension FindingsPrinter {
    /// A line for each finding.
    static func lines(_ findings: [Finding], file: String) -> [String] { findings.map { line($0, file: file) } }
}
