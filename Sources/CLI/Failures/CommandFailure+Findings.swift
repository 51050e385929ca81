import CompositionModel
import EditLanguage

extension CommandFailure {
    /// Every error and warning on a line of its own; what was implied is no reason for a refusal.
    init(_ status: ExitStatus, findings: [Finding], of file: String) {
        let reasons = findings.filter { $0.severity != .note }
        self.init(status, lines: FindingsPrinter.lines(reasons, file: file), findings: findings)
    }
}

extension FindingsPrinter {
    static func lines(_ findings: [Finding], file: String) -> [String] { findings.map { line($0, file: file) } }
}
