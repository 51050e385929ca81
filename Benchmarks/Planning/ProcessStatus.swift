import Foundation

/// Reads figures of /proc/self/status.
enum ProcessStatus {
    /// A figure in KiB: `VmRSS` now, `VmHWM` at its highest.
    static func kibibytes(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
