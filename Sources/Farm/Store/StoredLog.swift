package import WireProtocol

/// The last lines about an attempt, as a store keeps them.
package struct StoredLog: Sendable, Hashable, Codable {
    /// The most lines that are kept of one attempt.
    package static let mostLines = 200
    /// The most bytes of text that are kept of one attempt.
    package static let mostBytes = 16_384
    /// The most bytes of one line; longer ones are cut, with an ellipsis.
    package static let longestLine = 500
    /// The time after the end of an attempt for which its worker may still add lines, in milliseconds: it sends them with
    /// its heartbeats.
    package static let lateMilliseconds: Int64 = 60_000

    /// The number of lines before those that are kept.
    package private(set) var dropped: Int
    /// The lines that are kept, oldest first.
    package private(set) var lines: [LogLine]

    /// Makes a log with the lines that are kept; by default none.
    package init(dropped: Int = 0, lines: [LogLine] = []) {
        self.dropped = dropped
        self.lines = lines
    }

    /// The bytes of the texts.
    package var byteCount: Int { lines.reduce(0) { $0 + $1.text.utf8.count } }

    /// The number of all lines so far.
    package var next: Int { dropped + lines.count }

    /// Adds lines behind the others, made harmless and cut to their length, and drops the oldest beyond the limits.
    package mutating func append(_ added: [LogLine]) {
        lines += added.map { LogLine(at: $0.at, text: Self.cut($0.text.visible)) }
        var (count, bytes) = (0, 0)
        for line in lines.reversed() {
            bytes += line.text.utf8.count
            guard count < Self.mostLines, bytes <= Self.mostBytes else { break }
            count += 1
        }
        dropped += lines.count - count
        lines.removeFirst(lines.count - count)
    }

    /// The lines behind the first `number` of all.
    package func after(_ number: Int) -> AttemptLog {
        AttemptLog(lines: Array(lines.dropFirst(max(0, min(number, next) - dropped))), next: next)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestLine else { return text }
        var (kept, bytes) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= longestLine - 3 else { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }
}
