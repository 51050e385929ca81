package import Foundation

/// One line that a render process, its libraries or its worker said.
package struct LogLine: Sendable, Hashable, Codable {
    /// The time by the clock of the host that heard it.
    package var at: Date
    /// The text, in which control characters are made visible (``Swift/String/visible``).
    package var text: String

    /// Makes a line; `text` may hold anything.
    package init(at: Date, text: String) {
        self.at = at
        self.text = text
    }
}

/// The body of `POST /v1/attempts/{id}/log`: lines that follow those sent before. The answer is 204.
package struct LogLines: Sendable, Hashable, Codable {
    /// The worker whose attempt it is.
    package var worker: WorkerID
    /// The lines, oldest first.
    package var lines: [LogLine]

    /// Makes the body.
    package init(worker: WorkerID, lines: [LogLine]) { (self.worker, self.lines) = (worker, lines) }
}

/// The answer to `GET /v1/attempts/{id}/log?after=`: the last lines about an attempt.
package struct AttemptLog: Sendable, Hashable, Codable {
    /// The lines that are kept and were not seen before, oldest first.
    package var lines: [LogLine]
    /// The value of `after` that leaves these out: the number of all lines so far, kept or not.
    package var next: Int

    /// Makes the answer.
    package init(lines: [LogLine], next: Int) {
        self.lines = lines
        self.next = next
    }
}
