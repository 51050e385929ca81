import Farm
import Foundation
import PostgreSQL
import Synchronization
import WireProtocol

extension WorkerRecord {
    /// Reads a row of ``selection``.
    /// - Throws: ``DatabaseError`` or `DecodingError` for values that an incompatible program wrote.
    init(_ row: Row) throws {
        self.init(
            id: try row.identifier("id"),
            name: try row.get("name"),
            kinds: try row.get("kinds", as: [String].self).compactMap { TaskKind(rawValue: $0) },
            slots: try row.get("slots"),
            rendererVersion: try row.get("renderer_version"),
            libraries: try LibraryTexts.value(of: row.get("libraries")),
            machine: try row.optional("machine"),
            tags: try row.get("tags"),
            memoryBytes: try row.optional("memory_bytes"),
            lastSeen: try row.time("last_seen_ms"),
            isDraining: try row.get("is_draining"),
            hasLeft: try row.get("has_left"),
            provenFailures: try row.get("proven_failures"),
            completedAttempts: try row.get("completed_attempts"),
            failedAttempts: try row.get("failed_attempts"),
            blocked: try row.optional("blocked")
        )
    }

    /// The columns of a worker, with the reason why its name, or else its machine, is blocked; FROM follows.
    static let selection = """
        SELECT worker.*, (
            \(blocks) ORDER BY blocked_worker.name <> worker.name, blocked_worker.name COLLATE "C" LIMIT 1
        ) AS blocked
        """

    /// Selects the reasons why the name or the machine of a worker is blocked.
    static let blocks = """
        SELECT reason FROM blocked_worker
        WHERE blocked_worker.name = worker.name OR worker.machine = ANY(blocked_worker.machines)
        """

    /// The statement that inserts the worker.
    /// - Throws: `EncodingError`, which no worker causes.
    func insertion() throws -> Statement {
        Statement(
            """
            INSERT INTO worker (id, name, kinds, slots, renderer_version, libraries, last_seen_ms, machine, tags,
                memory_bytes)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING
            """,
            [
                id.uuid, name, kinds.map(\.rawValue), slots, rendererVersion, try JSONColumn.text(libraries),
                lastSeen.milliseconds, machine, tags, memoryBytes,
            ]
        )
    }
}

/// The versions of libraries that workers have, read from JSON. A worker's row is read with each request of it, and the
/// workers of a farm mostly have the same: reading the JSON each time took a quarter of the time of a request's transaction.
private enum LibraryTexts {
    private static let limit = 64
    private static let known = Mutex<[String: [String: String]]>([:])

    static func value(of text: String) throws -> [String: String] {
        if let value = known.withLock({ $0[text] }) { return value }
        let value = try WireJSON.decode([String: String].self, from: Data(text.utf8))
        known.withLock { known in
            if known.count >= limit { known.removeAll() }
            known[text] = value
        }
        return value
    }
}
