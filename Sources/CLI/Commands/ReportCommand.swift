import ArgumentParser
import Client
import Foundation
import Storage
import WireProtocol

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Say what a farm did: what is done, what failed and why, and what is left.",
        discussion: """
              cutfarm report --since 18:00
              cutfarm report --since 18:00 --html night.html --json night.json
              cutfarm report --since 2026-12-01T18:00 --until 2026-12-02T06:00 --owner mia

            The page is one file that needs no other host. The numbers of machines are those of jobs whose history the farm \
            keeps (--retention-days of its coordinator).
            """
    )

    @Option(
        help: ArgumentHelp("The beginning: 18:00 for the last time it was that, an instant, or 12h.", valueName: "time")
    )
    var since: String

    @Option(help: ArgumentHelp("The end, written likewise; now, unless it is given.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Jobs of this owner alone.", valueName: "name"))
    var owner: String?

    @Option(help: ArgumentHelp("Write it as a page, in place of a file that is there.", valueName: "file"))
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write it as JSON, in place of a file that is there; - is standard output.",
            valueName: "file"
        )
    )
    var json: String?

    @OptionGroup var farm: FarmOptions

    func run() async throws {
        let (start, end) = (try ReportStart(since).date, try until.map { try ReportStart($0).date })
        if let end, end <= start {
            throw CommandFailure(.usage, "The report would end before it begins; --until is later than --since.")
        }
        let report = try await farm.connect().report(since: start, until: end, owner: owner)
        if let html { try write(Data(ReportPage(report: report).html.utf8), to: html) }
        if let json {
            guard json != "-" else { return try JSONOutput.print(report) }
            try write(try WireJSON.encode(report) + Data("\n".utf8), to: json)
        }
        Console.print(ReportText(report: report).text)
    }

    /// Writes a file whole, or not at all.
    private func write(_ data: Data, to path: String) throws {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandFailure(.usage, "\(path) cannot be written; is there such a folder, and room in it?")
        }
    }
}
