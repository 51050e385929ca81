package import CompositionModel
package import Farm
import Foundation
import PostgreSQL
package import WireProtocol

extension PostgresFarmStore {
    package func reject(
        _ artifacts: [ContentDigest],
        because failure: Failure
    ) async throws(FarmStoreError) -> [TaskID] {
        var (pending, known) = (Set(artifacts), Set(artifacts))
        var rejected: [TaskID] = []
        while !pending.isEmpty {
            // In a transaction before: whoever took one of the parts until then has committed, and nobody takes one
            // after it.
            try await forgetParts(Array(pending))
            let found = try await reject(pending, because: failure)
            rejected += found.tasks
            // What another job has taken of them since they were listed.
            pending = found.later.subtracting(known)
            known.formUnion(pending)
        }
        return rejected.sorted()
    }

    /// Takes artifacts back from the tasks that have them, in ascending order, and then what is wrong with them in
    /// later stages of the same jobs, which are locked: also what was accepted since the artifacts were listed. Last,
    /// claims with withdrawn artifacts are dropped, in the order of tasks.
    /// - Returns: the tasks, and the artifacts of later stages.
    private func reject(
        _ artifacts: Set<ContentDigest>,
        because failure: Failure
    ) async throws(FarmStoreError) -> (tasks: [TaskID], later: Set<ContentDigest>) {
        try await transact { [policy] connection, now in
            let spreads = FarmFailure.spreads(failure)
            let tasks = try Self.tasks(with: artifacts, alsoClaimed: spreads, connection)
            var rows = LockedRows()
            try rows.read(connection.batch(LockedRows.locking(tasks: tasks)))
            var writer = ChangeWriter(at: now)
            var withdrawn = WithdrawnStages()
            var rejected: [TaskID] = []
            var later: Set<ContentDigest> = []
            for task in tasks.sorted() {
                guard let artifact = rows.tasks[task]?.artifact, artifacts.contains(artifact),
                    var decision = rows.decision(on: task, policy: policy)
                else { continue }
                decision.reject(artifact, because: failure, at: now)
                guard !decision.changes.isEmpty else { continue }
                try writer.write(withdrawn.withoutRepetitions(decision.changes), to: &rows, connection)
                rejected.append(task)
            }
            let next = spreads ? try Self.tasks(measuredBy: rejected.compactMap { rows.tasks[$0] }, connection) : []
            if !next.isEmpty { try rows.read(connection.batch(LockedRows.locking(tasks: next))) }
            for task in next.sorted() {
                guard let artifact = rows.tasks[task]?.artifact, var decision = rows.decision(on: task, policy: policy)
                else { continue }
                later.insert(artifact)
                decision.reject(artifact, because: failure, at: now)
                guard !decision.changes.isEmpty else { continue }
                try writer.write(withdrawn.withoutRepetitions(decision.changes), to: &rows, connection)
                rejected.append(task)
            }
            for task in tasks.sorted() where spreads {
                guard var decision = rows.decision(on: task, policy: policy) else { continue }
                decision.disclaim(artifacts, at: now)
                try writer.write(decision.changes, to: &rows, connection)
            }
            try writer.finish(connection)
            return (rejected, later)
        }
    }

    /// The tasks of unfinished jobs that are completed with some artifacts.
    /// - Parameter alsoClaimed: whether audited tasks of which a machine claims one of them are wanted too.
    private static func tasks(
        with artifacts: Set<ContentDigest>,
        alsoClaimed: Bool,
        _ connection: isolated Connection
    ) throws -> [TaskID] {
        let sql = """
            SELECT task.id FROM task JOIN job ON job.id = task.job
            WHERE task.artifact = ANY($1::text[]) AND job.state IN ('queued', 'rendering', 'stitching')
            UNION SELECT task.id FROM task
            WHERE $2::boolean AND task.witnesses IS NOT NULL AND task.state IN ('queued', 'leased') AND EXISTS (
                SELECT FROM jsonb_array_elements(task.claims) AS claim (value)
                WHERE claim.value->>'artifact' = ANY($1::text[])
            )
            """
        return try connection.query(sql, [artifacts.map(\.description), alsoClaimed]).map { try $0.identifier("id") }
    }

    /// The completed tasks of the same jobs that went by what some tasks measured.
    private static func tasks(measuredBy tasks: [TaskRecord], _ connection: isolated Connection) throws -> [TaskID] {
        let measured = tasks.filter { $0.kind == .measure }
        let firsts = Dictionary(measured.map { ($0.job, $0.stage) }, uniquingKeysWith: min)
        guard !firsts.isEmpty else { return [] }
        let sql = """
            SELECT task.id FROM task JOIN unnest($1::uuid[], $2::integer[]) AS measured (job, stage) USING (job)
            WHERE task.stage > measured.stage AND task.kind IN ('measure', 'sound') AND task.artifact IS NOT NULL
            """
        let jobs = firsts.sorted { $0.key < $1.key }
        return try connection.query(sql, [jobs.map(\.key.uuid), jobs.map(\.value)]).map { try $0.identifier("id") }
    }
}
