import Foundation

/// The table of routes in docs/api.md.
struct APITable {
    struct Row {
        /// Method and address of each route of the row.
        var names: Set<String> = []
        /// The names of the query's parameters, by route, where the row shows a query.
        var queries: [String: Set<String>] = [:]
        /// Every number of the row that a status may be.
        var statuses: Set<String> = []
    }

    let rows: [Row]

    init() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/api.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.components(separatedBy: "\n").drop { !$0.hasPrefix("| request |") }.dropFirst(2)
        rows = lines.prefix { $0.hasPrefix("|") }.map { Self.row($0.replacing(#"\|"#, with: "/")) }
    }

    private static let methods: Set<Substring> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]

    private static func row(_ line: String) -> Row {
        var row = Row()
        let cells = line.split(separator: "|")
        var methods: [Substring] = []
        var last: (method: Substring, path: String) = ("", "")
        // Between backquotes stand a method, a method and an address, the end of an address as of the one before, or a body.
        for (index, word) in cells[0].split(separator: "`", omittingEmptySubsequences: false).enumerated() {
            guard index % 2 == 1 else { continue }
            let words = word.split(separator: " ")
            if Self.methods.contains(words[0]) {
                methods.append(words[0])
                guard words.count > 1 else { continue }
                let address = words[1].split(separator: "?")
                last = (words[0], String(address[0]).replacing("{picture/sound}", with: "{kind}"))
                for method in methods { row.names.insert("\(method) \(last.path)") }
                methods = []
                guard address.count > 1 else { continue }
                let query = address[1].split(separator: "&").map { String($0.split(separator: "=")[0]) }
                row.queries["\(last.method) \(last.path)"] = Set(query)
            } else if word.hasPrefix("/") {
                let folder = last.path.split(separator: "/").dropLast().joined(separator: "/")
                row.names.insert("\(last.method) /\(folder)\(word)")
            }
        }
        // “2,000” is one word, and no status.
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "," && $0 != "." }
        let numbers = words.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: ",.")) }
        row.statuses = Set(numbers.filter { $0.count == 3 && (200..<600).contains(Int($0) ?? 0) })
        return row
    }
}
