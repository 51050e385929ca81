import CompositionModel
import Foundation
import WireProtocol

/// A report as one HTML file that needs nothing else: no script, no font and no picture of another host.
struct ReportPage {
    let report: FarmReport
    var words = ReportWords()

    var html: String {
        let whose = report.owner.map { " · \($0)" } ?? ""
        let period = "\(words.instant(report.since)) – \(words.instant(report.until))\(whose)"
        let headline = ReportWords.headline(report.totals)
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(escaped(headline))</title>
            <style>\(ReportStyle.css)</style>
            </head>
            <body>
            <header><p class="period">\(escaped(period))</p><h1>\(escaped(headline))</h1></header>
            \(bar)
            \(numbers)
            \(failed)
            \(late)
            \(undelivered)
            \(unfinished)
            \(slowest)
            \(machines)
            \(completed)
            <footer>Cutfarm \(escaped(CutfarmVersion.text)) · times in \(escaped(words.timeZone.identifier))</footer>
            </body>
            </html>

            """
    }

    // MARK: Parts of the page

    private var bar: String {
        let totals = report.totals
        let parts = [
            ("done", totals.completed), ("failed", totals.failed), ("cancelled", totals.cancelled),
            ("open", totals.unfinished),
        ].filter { $0.1 > 0 }
        guard !parts.isEmpty else { return "" }
        let spans = parts.map { kind, count in #"<i class="\#(kind)" style="flex-grow:\#(count)"></i>"# }
        return #"<div class="bar" aria-hidden="true">\#(spans.joined())</div>"#
    }

    private var numbers: String {
        let totals = report.totals
        let copied = totals.frames == 0 ? 0 : 100 * totals.copiedFrames / totals.frames
        let facts = [
            ("done", "\(totals.completed)", ReportWords.bytes(totals.bytes)), ("failed", "\(totals.failed)", ""),
            ("not finished", "\(totals.unfinished)", ""), ("missed deadlines", "\(totals.late)", ""),
            ("frames of output", ReportWords.count(totals.frames), "\(copied) % of them copied"),
            ("frames rendered", ReportWords.count(totals.renderedFrames), ""),
            ("machine time", ReportWords.span(milliseconds: totals.workMilliseconds), ""),
        ]
        let cells = facts.map { name, value, more in
            let note = more.isEmpty ? "" : "<small>\(escaped(more))</small>"
            return "<div><dt>\(escaped(name))</dt><dd>\(escaped(value))\(note)</dd></div>"
        }
        return "<dl>\(cells.joined())</dl>"
    }

    private var failed: String {
        section("Failed", report.failed, of: report.totals.failed, "failed") { entry in
            [entry.job.failure?.message, entry.advice.map { "What to do: \($0)" }]
        }
    }

    private var late: String {
        section("Late", report.late, of: report.totals.late, "late") { entry in
            let deadline = entry.job.deadline.map { "Deadline \(words.clock($0))." }
            return [ReportWords.lateness(entry.job), deadline]
        }
    }

    private var undelivered: String {
        section("Not where they go", report.undelivered, of: report.totals.undelivered, "late") { entry in
            [entry.job.delivery.map { "To \($0.to)" }, entry.job.delivery?.problem]
        }
    }

    private var unfinished: String {
        section("Not finished", report.unfinished, of: report.totals.unfinished, "open") { [ReportWords.state($0.job)] }
    }

    private var slowest: String {
        table("Slowest jobs", ["Job", "Machine time", "From submission to end", "Frames"], report.slowest) { entry in
            [
                name(entry.job), escaped(ReportWords.span(milliseconds: entry.workMilliseconds ?? 0)),
                escaped(ReportWords.length(entry.job) ?? "–"), escaped(ReportWords.count(entry.job.frameCount)),
            ]
        }
    }

    private var machines: String {
        table("Machines", ["Machine", "Time", "Parts", "Failed", "Frames", "Frames/s"], report.machines) { machine in
            let rate = Double(machine.renderedFrames) * 1000 / Double(max(1, machine.workMilliseconds))
            return [
                escaped(machine.name.visible), escaped(ReportWords.span(milliseconds: machine.workMilliseconds)),
                "\(machine.completed)", "\(machine.failed)", escaped(ReportWords.count(machine.renderedFrames)),
                rate.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_GB"))),
            ]
        }
    }

    private var completed: String {
        let rest = report.totals.completed - report.completed.count
        let note = rest > 0 ? "<p class=\"more\">and \(rest) more</p>" : ""
        return table("Done", ["Job", "Ended", "From submission to end", "Frames", "Size", "Lies at"], report.completed)
        {
            entry in
            let job = entry.job
            return [
                name(job), escaped(job.finished.map { words.clock($0) } ?? "–"),
                escaped(ReportWords.length(job) ?? "–"), escaped(ReportWords.count(job.frameCount)),
                escaped(job.byteCount.map(ReportWords.bytes) ?? "–"),
                escaped(job.delivery.flatMap { $0.delivered == nil ? nil : $0.to } ?? ""),
            ]
        } + note
    }

    // MARK: HTML

    private func name(_ job: JobView) -> String {
        let owner = report.owner == nil ? " · \(job.owner)" : ""
        return "<b>\(escaped(job.title.visible))</b><small>\(escaped("\(job.id)\(owner)"))</small>"
    }

    private func section(
        _ title: String,
        _ entries: [ReportedJob],
        of count: Int,
        _ kind: String,
        _ sentences: (ReportedJob) -> [String?]
    ) -> String {
        guard !entries.isEmpty else { return "" }
        let items = entries.map { entry in
            let about = sentences(entry).compactMap { $0 }.map { "<p>\(escaped($0.visible))</p>" }
            return "<li>\(name(entry.job))\(about.joined())</li>"
        }
        let all = max(count, entries.count)
        let more = all > entries.count ? "<p class=\"more\">and \(all - entries.count) more</p>" : ""
        return
            "<section class=\"\(kind)\"><h2>\(title) <span>\(all)</span></h2><ul>\(items.joined())</ul>\(more)</section>"
    }

    private func table<Entry>(
        _ title: String,
        _ heads: [String],
        _ entries: [Entry],
        _ cells: (Entry) -> [String]
    ) -> String {
        guard !entries.isEmpty else { return "" }
        let head = heads.map { "<th>\(escaped($0))</th>" }.joined()
        let rows = entries.map { "<tr>" + cells($0).map { "<td>\($0)</td>" }.joined() + "</tr>" }.joined()
        return "<section><h2>\(title)</h2><div class=\"wide\"><table><thead><tr>\(head)</tr></thead>"
            + "<tbody>\(rows)</tbody></table></div></section>"
    }

    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
