import CompositionModel
import Farm
import PostgreSQL
import WireProtocol

/// The tasks of a new job on their way into the database. What takes long, their JSON, is made before the transaction
/// begins: a transaction in which the program computes holds locks that others wait for, and the server cuts it.
struct TaskInsertion: Sendable {
    /// The number of rows that one COPY sends.
    private static let batch = 1000

    private let tasks: [NewTask]
    private let payloads: [String]

    /// Encodes the tasks of `job`. It is called on a thread that may compute for long.
    /// - Throws: `EncodingError`, which no task causes; `CancellationError` as soon as the task is cancelled.
    init(_ job: NewJob) throws {
        tasks = job.tasks
        payloads = try job.tasks.map { task in
            try Task.checkCancellation()
            return String(decoding: try CanonicalJSON.foundation(task.payload), as: UTF8.self)
        }
    }

    /// Stores the tasks with their payloads.
    /// - Throws: ``DatabaseError``.
    func write(
        _ job: JobRecord,
        _ identifiers: IdentifierSource,
        _ connection: isolated Connection,
        at now: FarmTime
    ) throws(DatabaseError) {
        for start in stride(from: 0, to: tasks.count, by: Self.batch) {
            var rows = CopyRows(into: TaskRecord.columns)
            var documents = CopyRows(into: "task_payload (task, payload)")
            for index in start..<min(start + Self.batch, tasks.count) {
                let record = TaskRecord(tasks[index], id: identifiers.next(at: now), job: job.id, created: now)
                rows.add(record.row(in: job))
                documents.add([record.id.uuid, payloads[index]])
            }
            try connection.copy(rows)
            try connection.copy(documents)
        }
    }
}
