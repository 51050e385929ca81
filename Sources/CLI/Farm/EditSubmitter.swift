import Client
import Foundation
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

    /// - Parameter onSubmitted: told of each job as soon as there is one: it runs, also when a later output is refused.
    /// - Throws: ``CommandFailure`` with the findings, `ClientError`.
    func submit(
        _ file: EditFile,
        outputs: [PlannedOutput],
        options: OutputOptions,
        onSubmitted: (Submitted) -> Void
    ) async throws {
        let file = try await fonts.resolved(file)
        let delivered = try await delivery.deliver(file.assets)
        guard delivered.unusable.isEmpty else { throw try await refusal(of: file, delivered, options) }
        for output in outputs {
            let submission = JobSubmission(
                idempotencyKey: UUID().uuidString.lowercased(),
                editText: file.text,
                title: file.title,
                assets: delivered.digests,
                preset: options.preset,
                output: output.index,
                range: options.span,
                priority: priority,
                segmentCount: options.segments
            )
            onSubmitted(Submitted(job: try await send(submission, of: file), output: output))
        }
    }

    /// All that is wrong with an edit of which some assets cannot be used.
    private func refusal(
        of file: EditFile,
        _ delivered: AssetDelivery.Delivered,
        _ options: OutputOptions
    ) async throws(ClientError) -> CommandFailure {
        var assets: [String: CompilerAsset] = [:]
        var unusable = delivered.unusable
        for (name, digest) in delivered.digests {
            do {
                guard let facts = try await connection.record(of: digest).facts else { continue }
                assets[name] = CompilerAsset(digest: digest, facts: facts)
            } catch .problem(let problem) where problem.status == 404 {
                unusable[name] = UnusableAsset(.missing, "the farm does not have \(digest)")
            }
        }
        return CommandFailure(file, assets: assets, unusable: unusable, options: options)
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
