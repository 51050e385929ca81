import CompositionModel
import Foundation
import WireProtocol

/// What went of a farm's movies and assets, as a table for people.
enum RetentionTable {
    static func text(_ report: RetentionReport, isDryRun: Bool) -> String {
        let rows =
            report.movies.map { movie in
                [
                    "movie", movie.job.description, size(movie.byteCount), movie.finished.formatted(.iso8601),
                    movie.owner.visible, movie.title.visible,
                ]
            }
            + report.assets.map { asset in
                ["asset", asset.digest.description, size(asset.byteCount), asset.used.formatted(.iso8601), "", ""]
            }
        let counts =
            "\(count(report.movies.count, "movie")) and \(count(report.assets.count, "asset")), \(size(report.byteCount))"
        let isWhole = max(report.movies.count, report.assets.count) < RetentionReport.largest
        let summary =
            isDryRun ? "Would remove \(counts)\(isWhole ? "" : ", and more")." : "Removed \(counts)."
        guard !rows.isEmpty else { return summary }
        return TextTable(["what", "id", "size", "finished or used", "owner", "title"], rows).text + "\n" + summary
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    private static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}
