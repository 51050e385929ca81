import CSandbox
import Subprocess

/// The lines that a child writes on standard error, of which only those are kept that tell about its end.
struct ChildLines: Sendable {
    /// The most bytes of one line; longer ones are cut.
    static let longest = 500
    /// The most bytes of ``refusals``: a child may repeat itself.
    private static let mostRefusals = 1 << 16
    private static let refusal = Array(CUT_REFUSED_CALL.utf8)

    /// The last line that is not empty.
    private(set) var last = ""
    /// The lines about system calls that the sandbox refused.
    private(set) var refusals = ""
    /// The beginning of a line whose end has not come, at most ``longest`` bytes of it.
    private var begun: [UInt8] = []

    /// Reads to the end, and gives each line to `sink`.
    static func read(_ output: SubprocessOutputSequence, _ sink: @Sendable (String) -> Void) async -> ChildLines {
        var lines = ChildLines()
        do {
            for try await buffer in output {
                for line in buffer.withUnsafeBytes({ lines.take($0) }) { sink(line) }
            }
        } catch {
            // Nothing more can be read; how the process ended is seen elsewhere.
        }
        if let line = lines.finish() { sink(line) }
        return lines
    }

    /// Takes bytes as they come.
    /// - Returns: the lines that end in them.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        var ended: [String] = []
        for byte in bytes {
            if byte == 0x0a {
                if let line = finish() { ended.append(line) }
            } else if begun.count < Self.longest {
                begun.append(byte)
            }
        }
        return ended
    }

    /// Ends the line that has begun.
    /// - Returns: nil for an empty one.
    mutating func finish() -> String? {
        defer { begun.removeAll(keepingCapacity: true) }
        guard !begun.isEmpty else { return nil }
        last = String(decoding: begun, as: UTF8.self)
        if begun.starts(with: Self.refusal), refusals.utf8.count < Self.mostRefusals { refusals += last + "\n" }
        return last
    }
}
