import CompositionModel
import Foundation
import WireProtocol

/// A report as text for a terminal or a mail.
struct ReportText {
    let report: FarmReport
    var words = ReportWords()

    var text: String {
        let totals = report.totals
        let whose = report.owner.map { " of \($0.visible)" } ?? ""
        var lines = [
            "From \(words.instant(report.since)) to \(words.instant(report.until))\(whose): \(ReportWords.headline(totals)).",
            "\(ReportWords.count(totals.frames)) frames of output, \(ReportWords.count(totals.copiedFrames)) of them copied; "
                + "\(ReportWords.count(totals.renderedFrames)) rendered in \(work(totals.workMilliseconds)) of machine time.",
        ]
        lines += section("Failed", report.failed, totals.failed) { entry in
            [entry.job.failure?.message, entry.advice]
        }
        lines += section("Late", report.late, totals.late) { [ReportWords.lateness($0.job)] }
        lines += section("Not where they go", report.undelivered, totals.undelivered) { entry in
            [entry.job.delivery.map { "To \($0.to): \($0.problem ?? "it is on its way.")" }]
        }
        lines += section("Not finished", report.unfinished, totals.unfinished) { [ReportWords.state($0.job)] }
        lines += section("Slowest", report.slowest, nil) { entry in
            [entry.workMilliseconds.map { "\(work($0)) of machine time." }]
        }
        if !report.machines.isEmpty {
            let rows = report.machines.map { machine in
                [
                    machine.name.visible, "\(machine.completed)", "\(machine.failed)",
                    ReportWords.count(machine.renderedFrames), work(machine.workMilliseconds),
                ]
            }
            lines += ["", TextTable(["machine", "parts", "failed", "frames", "time"], rows).text]
        }
        return lines.joined(separator: "\n")
    }

    /// The most jobs of one section; the JSON and the page have more.
    private static let most = 20

    private func work(_ milliseconds: Int64) -> String { ReportWords.span(milliseconds: milliseconds) }

    private func section(
        _ title: String,
        _ entries: [ReportedJob],
        _ count: Int?,
        _ sentences: (ReportedJob) -> [String?]
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        let shown = entries.prefix(Self.most).map { entry in
            let about = sentences(entry).compactMap { $0?.visible }.joined(separator: " ")
            return "  \(entry.job.title.visible)  \(entry.job.id)\n    \(about)"
        }
        let rest = max(count ?? 0, entries.count) - shown.count
        return ["", "\(title):"] + shown + (rest > 0 ? ["  and \(rest) more"] : [])
    }
}
