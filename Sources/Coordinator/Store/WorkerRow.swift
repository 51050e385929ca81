import Farm
import Foundation
import PostgreSQL
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
            libraries: try row.json("libraries"),
            machine: try row.optional("machine"),
            tags: try row.get("tags"),
            memoryBytes: try row.optional("memory_bytes"),
            lastSeen: try row.time("last_seen_ms"),
            isDraining: try row.get("is_draining"),
            hasLeft: try row.get("has_left"),
            provenFailures: try row.get("proven_failures"),
            blocked: try row.optional("blocked")
        )
    }

    /// The columns of a worker, with the reason why its name, or else its machine, is blocked; FROM follows.
    static let selection = """
        SELECT worker.*, (
            SELECT reason FROM blocked_worker
            WHERE blocked_worker.name = worker.name OR worker.machine = ANY(blocked_worker.machines)
            ORDER BY blocked_worker.name <> worker.name, blocked_worker.name COLLATE "C" LIMIT 1
        ) AS blocked
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
