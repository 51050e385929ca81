import CompositionModel
import Planning
import Timing
import WireProtocol

/// Rows in columns as wide as their widest cell.
struct TextTable {
    private let rows: [[String]]

    /// Makes a table.
    /// - Parameter heads: the first row; the other rows have as many cells.
    init(_ heads: [String], _ rows: [[String]]) {
        self.rows = [heads] + rows
    }

    /// The rows in lines, without spaces at their ends.
    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].columnCount }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.columnCount) }
            return cells.joined(separator: "  ").trimmingTrailingSpaces
        }.joined(separator: "\n")
    }
}

extension String {
    /// The characters without the sequences that ``Paint`` puts around a text.
    fileprivate var columnCount: Int { contains("\u{1b}") ? replacing(/\u{1b}\[[0-9;]*m/, with: "").count : count }

    fileprivate var trimmingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
