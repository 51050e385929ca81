import Foundation
import Glibc

/// The processes of one data folder's server, whoever started them: postmaster and backends all work in that folder.
/// A process id in a file proves nothing: after a crash it may be anybody's.
enum ServerProcesses {
    static func running(in dataFolder: String) -> [pid_t] {
        let real = URL(fileURLWithPath: dataFolder).resolvingSymlinksInPath().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { id in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/cwd")) == real && !isZombie(id)
        }
    }

    private static func isZombie(_ id: pid_t) -> Bool {
        guard let line = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return true }
        return line[(line.lastIndex(of: ")") ?? line.startIndex)...].dropFirst(2).first == "Z"
    }

    /// Ends them all: fast shutdown first, then at once, then by force. Blocks for at most `limit` seconds each.
    ///
    /// - Returns: those that are still there.
    static func stop(in dataFolder: String, postmaster: pid_t?, limit: Int) -> [pid_t] {
        for (signal, target) in [(SIGINT, postmaster), (SIGQUIT, postmaster), (SIGQUIT, nil), (SIGKILL, nil)] {
            let running = running(in: dataFolder)
            if running.isEmpty { return [] }
            if let target, !running.contains(target) { continue }
            for id in target.map({ [$0] }) ?? running { kill(id, signal) }
            waitForEnd(in: dataFolder, limit)
        }
        return running(in: dataFolder)
    }

    private static func waitForEnd(in dataFolder: String, _ limit: Int) {
        for _ in 0..<(limit * 50) {
            if running(in: dataFolder).isEmpty { return }
            usleep(20_000)
        }
    }
}
