import CLibPQ
import Glibc

/// What a NOTIFY sent.
package struct Notification: Sendable, Hashable {
    /// The channel on which it was sent.
    package let channel: String
    /// The text that was sent with it; empty for none.
    package let payload: String
}

extension Connection {
    /// Waits for notifications of the channels that were LISTENed to.
    ///
    /// - Returns: at once what has come, or an empty list after `limit`.
    /// - Throws: ``DatabaseError`` when the connection broke.
    package func notifications(within limit: Duration) throws(DatabaseError) -> [Notification] {
        if let waiting = collect() { return waiting }
        let parts = limit.components
        let milliseconds = parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
        var descriptor = pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 else { return [] }
        guard PQconsumeInput(raw) == 1, PQstatus(raw) == CONNECTION_OK else { throw lost("notifications") }
        return collect() ?? []
    }

    private func collect() -> [Notification]? {
        var found: [Notification] = []
        while let raw = PQnotifies(raw) {
            let text = String(cString: raw.pointee.extra)
            found.append(Notification(channel: String(cString: raw.pointee.relname), payload: text))
            PQfreemem(raw)
        }
        return found.isEmpty ? nil : found
    }
}
