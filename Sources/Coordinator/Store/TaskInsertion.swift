import CompositionModel
import Farm
import PostgreSQL
import WireProtocol

/// The tasks of a new job, and the digests of its assets, on their way into the database. What takes long, their JSON, is made before the transaction
/// begins: a transaction in which the program computes holds locks that others wait for, and the server cuts it.
struct TaskInsertion: Sendable {
    /// The number of rows that one COPY sends.
    private static let batch = 1000

    private let tasks: [NewTask]
    private let payloads: [String]
    /// The digests that the job's documents name.
    let assets: [String]

    /// Encodes the tasks of `job`. It is called on a thread that may compute for long.
    /// - Throws: `EncodingError`, which no task causes; `CancellationError` as soon as the task is cancelled.
    init(_ job: NewJob) throws {
        tasks = job.tasks
        payloads = try job.tasks.map { task in
            try Task.checkCancellation()
            return String(decoding: try CanonicalJSON.foundation(task.payload), as: UTF8.self)
        }
        assets = DigestSearch.digests(in: job.composition, job.plan)
    }

    /// Stores the tasks of jobs with their payloads.
    /// - Parameter jobs: the jobs, each with the identifiers of its tasks in their order.
    /// - Throws: ``DatabaseError``.
    static func write(
        _ jobs: [(record: JobRecord, tasks: TaskInsertion, identifiers: [TaskID])],
        _ connection: isolated Connection
    ) throws(DatabaseError) {
        var rows = CopyRows(into: TaskRecord.columns)
        var documents = CopyRows(into: payloadColumns)
        for job in jobs {
            for (index, id) in job.identifiers.enumerated() {
                let task = TaskRecord(
                    job.tasks.tasks[index],
                    id: id,
                    job: job.record.id,
                    created: job.record.created,
                    audit: job.record.audit?.share
                )
                rows.add(task.row(in: job.record))
                documents.add([id.uuid, job.tasks.payloads[index]])
                guard rows.count >= batch else { continue }
                try connection.copy(rows)
                try connection.copy(documents)
                (rows, documents) = (CopyRows(into: TaskRecord.columns), CopyRows(into: payloadColumns))
            }
        }
        try connection.copy(rows)
        try connection.copy(documents)
    }

    private static let payloadColumns = "task_payload (task, payload)"
}
