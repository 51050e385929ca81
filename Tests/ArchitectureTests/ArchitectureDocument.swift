import Foundation

/// The tables of docs/architecture.md that say which modules and folders there are, and what each may use.
struct ArchitectureDocument {
    struct Module {
        let name: String
        let imports: [String]
    }

    /// In the order of the document: each may import those before it.
    let modules: [Module]
    /// By module, in the order of the document: each may use those before it.
    let folders: [String: [String]]

    init() throws {
        let file = SourceTree.root.appendingPathComponent("docs/architecture.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        modules = Self.rows(of: text, under: "| module | what it is | imports of ours |").map { cells in
            let imports = cells[2].split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return Module(name: Self.names(in: cells[0])[0], imports: imports)
        }
        let rows = Self.rows(of: text, under: "| module | folders |")
        folders = Dictionary(
            rows.map { (Self.names(in: $0[0])[0], Self.names(in: $0[1])) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The cells of a table's rows, without its head.
    private static func rows(of text: String, under head: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0 == head }) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// What stands in backticks.
    private static func names(in cell: String) -> [String] {
        cell.matches(of: #/`([^`]+)`/#).map { String($0.1) }
    }
}
