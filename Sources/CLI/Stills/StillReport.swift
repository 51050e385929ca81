import Synchronization

/// Reports the outcome of each requested time once: done, failed or cancelled, and the time that is shown.
final class StillReport: Sendable {
    private struct Line: Encodable {
        let at: String
        let state: String
        var frame: Int64?
        var time: String?
        var file: String?
        var reason: String?
    }

    private let texts: [String]
    private let times: StillTimes
    private let json: Bool
    /// Whether each request is done; nil while it is open.
    private let states: Mutex<[Bool?]>

    /// - Parameters:
    ///   - texts: the requests as they were written.
    ///   - json: whether each line is a JSON object.
    init(_ texts: [String], times: StillTimes, json: Bool) {
        (self.texts, self.times, self.json) = (texts, times, json)
        states = Mutex([Bool?](repeating: nil, count: texts.count))
    }

    /// The number of requests that are done.
    var doneCount: Int { states.withLock { states in states.count { $0 == true } } }

    /// Reports the requests that a still answers as done.
    func done(_ still: StillFile) {
        let time = "\(times.time(still.frame))"
        for position in still.positions where end(position, isDone: true) {
            print(Line(at: texts[position], state: "done", frame: still.frame, time: time, file: still.file.path))
        }
    }

    /// Reports the requests that these stills would have answered as failed.
    func failed(_ stills: [StillFile], _ reason: String) {
        failed(at: stills.flatMap(\.positions), reason)
    }

    /// Reports the requests at these positions as failed.
    func failed(at positions: [Int], _ reason: String) {
        for position in positions where end(position, isDone: false) {
            print(Line(at: texts[position], state: "failed", reason: reason))
        }
    }

    /// Reports all open requests as cancelled.
    func cancelRest() {
        for position in texts.indices where end(position, isDone: false) {
            print(Line(at: texts[position], state: "cancelled"))
        }
    }

    /// - Returns: whether the request was still open.
    private func end(_ position: Int, isDone: Bool) -> Bool {
        states.withLock { states in
            guard states[position] == nil else { return false }
            states[position] = isDone
            return true
        }
    }

    private func print(_ line: Line) {
        guard !json else {
            try? JSONOutput.print(line)
            return
        }
        let shown = line.frame.map { "  frame \($0) at \(line.time ?? "") s" } ?? ""
        let rest = (line.file ?? line.reason).map { "  \($0)" } ?? ""
        Console.print("\(line.at)  \(line.state)\(shown)\(rest)")
    }
}
