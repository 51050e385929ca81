import Client
import Foundation
import Ingest
import Sandbox
import Shared

/// Submits the outputs of an edit as jobs.
struct EditSubmitter: Sendable {
    let connection: CoordinatorConnection
    let delivery: AssetDelivery
    var priority = 0
    /// Finds the fonts that titles ask for.
    var fonts = FontFinder(process: RenderProcess())

    struct Submitted: Sendable {
        let job: JobView
        let output: PlannedOutput
    }

    /// Prints the warnings about the edit, once.
    /// - Parameter onSubmitted: told of each job as soon as there is one: it runs, also when a later output is refused.
    /// - Throws: ``CommandFailure`` with the findings, `ClientError`.
    func submit(
        _ file: EditFile,
        outputs: [PlannedOutput],
        options: OutputOptions,
        onSubmitted: (Submitted) -> Void
    ) async throws {
        let file = try await file.resolvingFonts(with: fonts)
        let delivered = try await deliver(file)
        guard delivered.isUsable else { throw try await refusal(of: file, delivered, options) }
        var told: Set<Finding> = []
        for output in outputs {
            let submission = JobSubmission(
                idempotencyKey: UUID().uuidString.lowercased(),
                editText: file.text,
                title: file.title,
                assets: delivered.own.digests,
                parameters: file.parameters.isEmpty ? nil : file.parameters,
                nested: delivered.submissions,
                preset: options.preset,
                output: output.index,
                range: options.span,
                priority: priority,
                segmentCount: options.segments
            )
            let job = try await send(submission, of: file)
            let warnings = (job.findings ?? []).filter { told.insert($0).inserted }
            FindingsPrinter.lines(warnings, file: file.path).forEach(Console.error)
            onSubmitted(Submitted(job: job, output: output))
        }
    }

    /// What became of the assets of an edit and of the edits among them.
    private struct DeliveredEdit {
        let file: EditFile
        let own: AssetDelivery.Delivered
        let nested: [String: DeliveredEdit]

        var isUsable: Bool { own.unusable.isEmpty && nested.values.allSatisfy(\.isUsable) }

        /// Of the edits among its assets; nil is none.
        var submissions: [String: NestedSubmission]? {
            guard !nested.isEmpty else { return nil }
            return nested.mapValues { edit in
                NestedSubmission(
                    file: edit.file.path,
                    editText: edit.file.text,
                    parameters: edit.file.parameters.isEmpty ? nil : edit.file.parameters,
                    assets: edit.own.digests,
                    nested: edit.submissions
                )
            }
        }
    }

    private func deliver(_ file: EditFile) async throws(ClientError) -> DeliveredEdit {
        let own = try await delivery.deliver(file.assets)
        var nested: [String: DeliveredEdit] = [:]
        for (name, edit) in file.nested.sorted(by: { $0.key < $1.key }) { nested[name] = try await deliver(edit) }
        return DeliveredEdit(file: file, own: own, nested: nested)
    }

    /// Frames of an edit's timeline as images: one job.
    /// - Throws: as ``submit(_:outputs:options:onSubmitted:)``.
    func submit(_ file: EditFile, stills: StillsOrder) async throws -> JobView {
        try await submit(file, range: []) { $0.stills = stills }
    }

    /// What the mix of an edit's timeline is like: one job.
    /// - Parameter range: START and DURATION, or nothing.
    /// - Throws: as ``submit(_:outputs:options:onSubmitted:)``.
    func submit(_ file: EditFile, measure: MeasureOrder, range: [String]) async throws -> JobView {
        try await submit(file, range: range) { $0.measure = measure }
    }

    private func submit(
        _ file: EditFile,
        range: [String],
        _ order: (inout JobSubmission) -> Void
    ) async throws -> JobView {
        let file = try await file.resolvingFonts(with: fonts)
        var options = OutputOptions()
        (options.preset, options.range) = ("lossless", range)
        let delivered = try await deliver(file)
        guard delivered.isUsable else { throw try await refusal(of: file, delivered, options) }
        var submission = JobSubmission(
            idempotencyKey: UUID().uuidString.lowercased(),
            editText: file.text,
            title: file.title,
            assets: delivered.own.digests,
            parameters: file.parameters.isEmpty ? nil : file.parameters,
            nested: delivered.submissions,
            preset: options.preset,
            range: options.span,
            priority: priority
        )
        order(&submission)
        return try await send(submission, of: file)
    }

    /// All that is wrong with an edit of which some assets cannot be used.
    private func refusal(
        of file: EditFile,
        _ delivered: DeliveredEdit,
        _ options: OutputOptions
    ) async throws(ClientError) -> CommandFailure {
        let known = try await edit(delivered)
        return CommandFailure(
            .usage,
            findings: file.findings(with: known, options: options.compiling),
            of: file.path
        )
    }

    /// What the farm knows of the assets of an edit.
    private func edit(_ delivered: DeliveredEdit) async throws(ClientError) -> NestedEdit {
        var edit = NestedEdit(file: delivered.file.path, read: delivered.file.read, assets: [:])
        edit.unusable = delivered.own.unusable
        for (name, digest) in delivered.own.digests {
            do {
                guard let facts = try await connection.record(of: digest).facts else { continue }
                edit.assets[name] = CompilerAsset(digest: digest, facts: facts)
            } catch .problem(let problem) where problem.status == 404 {
                edit.unusable[name] = UnusableAsset(.missing, "the farm does not have \(digest)")
            }
        }
        for (name, nested) in delivered.nested { edit.nested[name] = try await self.edit(nested) }
        return edit
    }

    private func send(_ submission: JobSubmission, of file: EditFile) async throws -> JobView {
        do {
            return try await insistently(submission)
        } catch .problem(let problem) {
            guard let findings = problem.findings, !findings.isEmpty else { throw ClientError.problem(problem) }
            throw CommandFailure(.usage, findings: findings, of: file.path)
        }
    }

    /// Again and again while no answer comes: the key makes it one job, also when only the answer was lost.
    private func insistently(_ submission: JobSubmission) async throws(ClientError) -> JobView {
        let began = ContinuousClock.now
        while true {
            do {
                return try await connection.submit(submission)
            } catch {
                guard error.isTransient, began.duration(to: .now) < .seconds(20) else { throw error }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }
}
