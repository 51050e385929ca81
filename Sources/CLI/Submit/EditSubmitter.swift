import Client
import CompositionModel
import EditLanguage
import Farm
import Ingest
import Planning
import Sandbox
import WireProtocol

/// Brings an edit and its assets to a farm and submits jobs.
struct EditSubmitter: Sendable {
    let connection: CoordinatorConnection
    let delivery: AssetDelivery
    /// The priority of every job: jobs with a higher number go first.
    var priority = 0
    /// The title of the jobs; nil is the name of the edit's file.
    var title: String?
    /// When the farm may work on every job.
    var conditions = JobConditions()
    /// Where the coordinator puts the movies by itself, by the position of the output.
    var deliveries: [Int: DeliveryOrder] = [:]
    /// Finds the fonts that titles ask for.
    var fonts = FontFinder(process: RenderProcess())

    /// A job and the output that it makes.
    struct Submitted: Sendable {
        let job: JobView
        let output: PlannedOutput
    }

    /// Submits a job for each output, and prints the warnings about the edit, each once.
    /// - Parameters:
    ///   - row: What names the submission, so that the same with the same content gives the same job again.
    ///   - onSubmitted: Called with each job as soon as it exists. The job runs even if a later output is refused.
    /// - Throws: ``CommandFailure`` with every finding when the edit is refused; `ClientError`; `CancellationError`.
    func submit(
        _ file: EditFile,
        outputs: [PlannedOutput],
        options: OutputOptions,
        row: SubmittedRow? = nil,
        onSubmitted: (Submitted) -> Void
    ) async throws {
        var told: Set<Finding> = []
        for ordered in try await order(file, outputs: outputs, options: options, row: row) {
            let job = try await send(ordered.submission, of: file) {
                try await order(file, outputs: outputs, options: options, row: row, only: ordered.output)
            }
            tell(job, file, &told)
            onSubmitted(Submitted(job: job, output: ordered.output))
        }
    }

    /// A submission that can be sent, and the output that its job makes.
    struct Ordered: Sendable {
        let submission: JobSubmission
        let output: PlannedOutput
    }

    /// Brings the assets of an edit to the farm, and makes the submission of each output.
    /// - Parameter row: What names the row of a manifest, so that the same row with the same content gives the same job
    ///   again; nil makes a new job each time.
    /// - Throws: ``CommandFailure`` with every finding when some assets cannot be used; `ClientError`.
    func order(
        _ file: EditFile,
        outputs: [PlannedOutput],
        options: OutputOptions,
        row: SubmittedRow? = nil
    ) async throws -> [Ordered] {
        let edit = try await deliver(file, options.compiling)
        // Jobs of one edit are told apart in lists.
        func jobTitle(_ title: String?, _ output: PlannedOutput) -> String {
            let title = title ?? file.title
            return outputs.count == 1 ? title : "\(title), output \(output.index + 1) of \(outputs.count)"
        }
        return try outputs.map { output in
            let submission = edit.submission(
                title: jobTitle(title, output),
                options: options.compiling,
                output: output.index,
                segmentCount: options.segments,
                priority: priority
            )
            let ordered = conditions.applied(to: submission, deliveries[output.index])
            guard let row else { return Ordered(submission: ordered, output: output) }
            var content = ordered
            content.title = jobTitle(row.title, output)
            content.delivery = row.deliveries[output.index]
            return Ordered(submission: try ordered.repeatable(as: row.name, saying: content), output: output)
        }
    }

    /// Brings the assets of an edit to the farm, and makes the submission of one of its outputs.
    /// - Parameters:
    ///   - outputs: all outputs of the edit.
    ///   - output: one of them.
    /// - Throws: as ``order(_:outputs:options:row:)``.
    func order(
        _ file: EditFile,
        outputs: [PlannedOutput],
        options: OutputOptions,
        row: SubmittedRow?,
        only output: PlannedOutput
    ) async throws -> JobSubmission {
        let ordered = try await order(file, outputs: outputs, options: options, row: row)
        guard let one = ordered.first(where: { $0.output.index == output.index }) else {
            throw CommandFailure(.usage, "\(file.path) does not have its output \(output.index + 1) any more.")
        }
        return one.submission
    }

    /// Prints the warnings about an edit, each once.
    func tell(_ job: JobView, _ file: EditFile, _ told: inout Set<Finding>) {
        let warnings = (job.findings ?? []).filter { told.insert($0).inserted }
        FindingsPrinter.lines(warnings, file: file.path).forEach(Console.error)
    }

    /// Submits a job that makes images of frames of the timeline.
    /// - Throws: ``CommandFailure`` with every finding when the edit is refused; `ClientError`; `CancellationError`.
    func submit(_ file: EditFile, stills: StillsOrder) async throws -> JobView {
        try await submit(file, .stills(stills), range: [])
    }

    /// Submits a job that measures the mix.
    /// - Parameter range: The start and the duration on the timeline; empty for all of it.
    /// - Throws: ``CommandFailure`` with every finding when the edit is refused; `ClientError`; `CancellationError`.
    func submit(_ file: EditFile, measure: MeasureOrder, range: [String]) async throws -> JobView {
        try await submit(file, .measurement(measure), range: range)
    }

    private func submit(_ file: EditFile, _ product: JobProduct, range: [String]) async throws -> JobView {
        let options = CompileOptions(preset: "lossless", range: range.isEmpty ? nil : range)
        func order() async throws -> JobSubmission {
            var submission = try await deliver(file, options).submission(options: options, priority: priority)
            submission.product = product
            return submission
        }
        return try await send(order(), of: file, again: order)
    }

    /// Resolves the fonts of an edit and brings its assets to the farm.
    /// - Throws: ``CommandFailure`` with every finding when some assets cannot be used; `ClientError`.
    private func deliver(_ file: EditFile, _ options: CompileOptions) async throws -> DeliveredEdit {
        let file = try await file.resolvingFonts(with: fonts)
        let delivered = try await deliver(file)
        guard delivered.isUsable else {
            let known = try await delivered.known(to: connection)
            let findings = file.findings(with: known, options: options)
            throw CommandFailure(.usage, findings: findings, of: file.path)
        }
        return delivered
    }

    private func deliver(_ file: EditFile) async throws(ClientError) -> DeliveredEdit {
        let own = try await delivery.deliver(file.assets)
        var nested: [String: DeliveredEdit] = [:]
        for (name, edit) in file.nested.sorted(by: { $0.key < $1.key }) { nested[name] = try await deliver(edit) }
        return DeliveredEdit(file: file, own: own, nested: nested)
    }

    /// Sends one submission.
    /// - Parameter order: Brings the assets to the farm again, and makes the submission anew.
    /// - Throws: ``CommandFailure`` with every finding when the edit is refused; `ClientError`; `CancellationError`.
    func send(
        _ submission: JobSubmission,
        of file: EditFile,
        again order: () async throws -> JobSubmission
    ) async throws -> JobView {
        do {
            return try await send(submission)
        } catch ClientError.problem(let problem) {
            return try await send(after: problem, of: file, again: order)
        }
    }

    /// Sends a submission once more if it was refused because the farm has removed assets since it was asked for them.
    /// - Parameters:
    ///   - problem: The refusal.
    ///   - order: Brings the assets to the farm again, and makes the submission anew.
    /// - Throws: The error that `problem` means when it is about something else, or that the second refusal means;
    ///   `ClientError`; `CancellationError`.
    func send(
        after problem: Problem,
        of file: EditFile,
        again order: () async throws -> JobSubmission
    ) async throws -> JobView {
        guard problem.code == "asset_missing" else { throw Self.refusal(problem, of: file) }
        delivery.forget(problem.missing ?? [])
        let submission = try await order()
        do {
            return try await send(submission)
        } catch ClientError.problem(let problem) {
            throw Self.refusal(problem, of: file)
        }
    }

    private func send(_ submission: JobSubmission) async throws -> JobView {
        // The idempotency key makes it one job, even when only the answer was lost.
        try await RetrySchedule.farm(for: .seconds(20)).run(on: connection.clock) {
            try await connection.submit(submission)
        }
    }

    /// The error that a refusal means: with findings it is about the edit.
    private static func refusal(_ problem: Problem, of file: EditFile) -> any Error {
        guard let findings = problem.findings, !findings.isEmpty else { return ClientError.problem(problem) }
        return CommandFailure(.usage, findings: findings, of: file.path)
    }
}
