import Foundation
import Synchronization
import Threads
import Timing
import WireProtocol

/// Reads what a worker says of its machine: the host's name, and the memory of its processes out of `/proc` (proc(5)).
final class MachineGauge: Sendable {
    /// The time between two readings: people look at them, and each reads a file of every process.
    private static let pause = Duration.seconds(5)

    private let stopwatch: Stopwatch
    private let last = Mutex<Duration?>(nil)
    private let host = ProcessInfo.processInfo.hostName

    init(clock: any Clock<Duration>) { stopwatch = Stopwatch(on: clock) }

    /// A reading; nil when the last one was taken less than five seconds ago.
    func reading() async -> MachineReading? {
        let now = stopwatch.elapsed
        let isDue = last.withLock { last in
            if let last, now - last < Self.pause { return false }
            last = now
            return true
        }
        guard isDue else { return nil }
        return await DedicatedThread.run { [host] in
            let own = getpid()
            return MachineReading(
                host: host,
                workerBytes: Self.residentBytes(of: own),
                renderBytes: Self.renderProcesses(below: own).reduce(0) { $0 + Self.residentBytes(of: $1) },
                totalBytes: Int64(clamping: ProcessInfo.processInfo.physicalMemory)
            )
        }
    }

    /// The resident memory of a process in bytes: the second number of `/proc/PID/statm`, in pages. 0 for one that has
    /// ended.
    private static func residentBytes(of process: Int32) -> Int64 {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8) else { return 0 }
        let numbers = text.split(separator: " ")
        return numbers.count > 1 ? (Int64(numbers[1]) ?? 0) * Int64(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// The processes below a process that started none themselves: a render child may have a supervisor, which only waits
    /// for it, and whose memory is little more than that of the libraries that both share.
    private static func renderProcesses(below process: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var children: [Int32: [Int32]] = [:]
        for child in names.compactMap({ Int32($0) }) {
            guard let parent = parent(of: child) else { continue }
            children[parent, default: []].append(child)
        }
        var (found, open): ([Int32], [Int32]) = ([], [process])
        while let next = open.popLast() {
            guard let below = children[next] else {
                found.append(next)
                continue
            }
            open += below
        }
        return found.filter { $0 != process }
    }

    /// The second field of `/proc/PID/stat` behind the program's name, which stands in parentheses and may hold any sign.
    private static func parent(of process: Int32) -> Int32? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 1 ? Int32(fields[1]) : nil
    }
}
