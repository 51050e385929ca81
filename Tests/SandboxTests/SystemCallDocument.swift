import Foundation

/// The table of system calls in docs/security.md.
enum SystemCallDocument {
    struct Unreadable: Error {}

    /// The names in the column of calls, which are in backquotes.
    static func allowed() throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/security.md"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let heading = lines.firstIndex(of: "| for | system calls | arguments |") else { throw Unreadable() }
        var names: Set<String> = []
        for line in lines[(heading + 2)...].prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            let parts = cells[2].split(separator: "`", omittingEmptySubsequences: false)
            for position in stride(from: 1, to: parts.count, by: 2) { names.insert(String(parts[position])) }
        }
        return names
    }
}
