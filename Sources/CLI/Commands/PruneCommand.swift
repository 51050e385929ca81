import ArgumentParser
import Client
import Foundation
import WireProtocol

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove finished movies and unused assets of a farm, and say which went.",
        discussion: """
            Assets that an unfinished job needs, or that somebody asked for within the last hour, always stay. A coordinator \
            that has the same options removes once an hour. --dry-run removes nothing and says what would go.

              cutfarm prune --keep-movies 90d --dry-run
              cutfarm prune --keep-movies 500GB --keep-assets 30d
            """
    )

    @OptionGroup var keep: KeepOptions

    @Flag(help: "Only say what would go.")
    var dryRun = false

    @OptionGroup var farm: FarmOptions

    @Flag(help: "JSON on standard output.")
    var json = false

    func validate() throws {
        guard !keep.movies.isAll || !keep.assets.isAll else {
            throw ValidationError("Say what to keep: --keep-movies or --keep-assets.")
        }
    }

    func run() async throws {
        let order = RetentionOrder(movies: keep.movies, assets: keep.assets, isDryRun: dryRun)
        let connection = try farm.connect()
        var whole = RetentionReport()
        while true {
            let report = try await connection.apply(order)
            whole.movies += report.movies
            whole.assets += report.assets
            // A dry run would find the same again.
            guard !dryRun, max(report.movies.count, report.assets.count) == RetentionReport.largest else { break }
        }
        guard !json else { return try JSONOutput.print(whole) }
        Console.print(RetentionTable.text(whole, isDryRun: dryRun))
    }
}
