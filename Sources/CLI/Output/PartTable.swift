import CompositionModel
import Foundation
import WireProtocol

/// Kept parts as a table for people.
enum PartTable {
    /// The table, and what all parts come to.
    static func text(_ list: PartList) -> String {
        let totals = list.totals
        let summary = "\(count(totals.count)), \(size(totals.byteCount)); \(saved(totals))."
        guard !list.parts.isEmpty else { return summary }
        let rows = list.parts.map { part in
            [
                String(part.key.hex.prefix(12)), part.kind.rawValue, "\(part.unitCount)", size(part.byteCount),
                seconds(part.cpuMilliseconds), part.worker, part.used.formatted(.iso8601), "\(part.uses)",
            ]
        }
        let heads = ["key", "kind", "frames or samples", "size", "made in", "by", "last used", "taken"]
        return TextTable(heads, rows).text + "\n" + summary
    }

    /// The number of parts and their size.
    static func summary(_ parts: [PartView]) -> String {
        "\(count(parts.count)), \(size(parts.reduce(0) { $0 + $1.byteCount }))"
    }

    private static func count(_ parts: Int) -> String { parts == 1 ? "1 part" : "\(parts) parts" }

    private static func saved(_ totals: PartList.Totals) -> String {
        guard totals.uses > 0 else { return "none was taken yet" }
        return "taken \(totals.uses == 1 ? "once" : "\(totals.uses) times"), which saved "
            + "\(seconds(totals.savedMilliseconds)) of a core"
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        "\(milliseconds / 1000).\(milliseconds / 100 % 10) s"
    }

    private static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }
}
