import CompositionModel
import EditLanguage
import Farm
import Foundation
import Planning
import Storage
import WireProtocol

/// Compiles and plans submissions. It reads what is known of the assets, and decodes no media.
struct JobPlanning: Sendable {
    let store: any FarmStore
    let artifacts: ArtifactStore
    let pool: PlanningPool

    /// Makes a job that can be stored.
    /// - Parameter owner: the name that belongs to the token by which it was submitted.
    /// - Returns: the job, and the warnings that its user should know.
    /// - Throws: ``Problem``: 422 `invalid_edit` with all findings, 409 `asset_missing` with the digests to send first,
    ///   422 with the planner's code, or `planning_limit`; `CancellationError` when the task is cancelled.
    func plan(_ submission: JobSubmission, owner: String) async throws -> (job: NewJob, warnings: [Finding]) {
        do {
            return try await planned(submission, owner: owner)
        } catch let error as PlanningPool.TookTooLong {
            throw Problem.unprocessable(
                "planning_limit",
                "Planning this edit took more than \(error.limit.components.seconds) s; divide it into shorter ones."
            )
        }
    }

    private func planned(_ submission: JobSubmission, owner: String) async throws -> (job: NewJob, warnings: [Finding])
    {
        let parameters = submission.parameters ?? [:]
        let read = try await pool.run(for: owner) { EditReader.read(submission.editText, parameters: parameters) }
        guard let document = read.document else { throw Problem.invalidEdit(read.findings) }
        let assets = try await facts(of: submission.assets)
        var parameterBytes = read.parameterBytes
        let nested = try await edits(submission.nested ?? [:], of: owner, depth: 0, &parameterBytes)
        return try await pool.run(for: owner) {
            let options = CompileOptions(
                preset: submission.preset,
                range: submission.range,
                copies: submission.copies ?? false,
                match: submission.match
            )
            let compiled = EditCompiler.compile(document, assets: assets, nested: nested, options: options)
            let findings = read.findings + compiled.findings.map(read.located)
            guard let composition = compiled.composition else { throw Problem.invalidEdit(findings) }
            let job = try job(submission, owner, composition, nested.values.reduce(assets) { $1.adding(to: $0) })
            return (job, findings.filter { $0.severity == .warning })
        }
    }

    /// Reads the edits that an edit uses as assets.
    /// - Parameter parameterBytes: the bytes that parameters have put into all edits of the submission so far.
    private func edits(
        _ submitted: [String: NestedSubmission],
        of owner: String,
        depth: Int,
        _ parameterBytes: inout Int
    ) async throws -> [String: NestedEdit] {
        guard depth <= Limits.nesting else {
            throw Problem.unprocessable("invalid_edit", "Edits are nested more than \(Limits.nesting) deep.")
        }
        var edits: [String: NestedEdit] = [:]
        for (name, edit) in submitted.sorted(by: { $0.key < $1.key }) {
            let spent = parameterBytes
            let read = try await pool.run(for: owner) {
                EditReader.read(edit.editText, parameters: edit.parameters ?? [:], parameterBytes: spent)
            }
            parameterBytes = read.parameterBytes
            edits[name] = NestedEdit(
                file: edit.file,
                read: read,
                assets: try await facts(of: edit.assets),
                nested: try await self.edits(edit.nested ?? [:], of: owner, depth: depth + 1, &parameterBytes)
            )
        }
        return edits
    }

    /// The facts of every asset named.
    /// - Throws: ``Problem`` 409 `asset_missing` with every digest that is not here, or not with facts of this version.
    private func facts(of digests: [String: ContentDigest]) async throws -> [String: CompilerAsset] {
        var assets: [String: CompilerAsset] = [:]
        var missing: Set<ContentDigest> = []
        for (name, digest) in digests {
            guard let record = try await store.asset(digest)?.record, let facts = record.facts,
                facts.version == AssetFacts.currentVersion, try await blocking({ artifacts.holds(record) })
            else {
                missing.insert(digest)
                continue
            }
            assets[name] = CompilerAsset(digest: digest, facts: facts)
        }
        guard missing.isEmpty else { throw Problem.assetMissing(missing.sorted { $0.hex < $1.hex }) }
        return assets
    }

    private func job(
        _ submission: JobSubmission,
        _ owner: String,
        _ composition: Composition,
        _ assets: [String: CompilerAsset]
    ) throws -> NewJob {
        let planner = ProductPlanner(
            composition: composition,
            output: submission.output,
            facts: Dictionary(assets.values.map { ($0.digest, $0.facts) }) { first, _ in first },
            segmentCount: submission.segmentCount
        )
        let product = try planner.plan(submission.product)
        return NewJob(
            idempotencyKey: submission.idempotencyKey,
            submission: ContentDigest(of: try WireJSON.encode(submission)),
            owner: owner,
            title: submission.title,
            preset: product.preset,
            fileExtension: product.fileExtension,
            priority: submission.priority,
            frameCount: product.frameCount,
            frameRate: product.plan.frameRate,
            copying: submission.product == .movie ? product.plan.copying : nil,
            composition: try CanonicalJSON.data(composition),
            plan: try product.plan.document(),
            tasks: product.tasks
        )
    }
}

extension NestedEdit {
    /// Adds the assets of this edit, and of all that it holds, to `assets`, whatever they are called.
    fileprivate func adding(to assets: [String: CompilerAsset]) -> [String: CompilerAsset] {
        var all = assets
        for asset in self.assets.values { all["\(asset.digest)"] = asset }
        return nested.values.reduce(all) { $1.adding(to: $0) }
    }
}

extension Problem {
    /// The problem of an edit that has errors.
    static func invalidEdit(_ findings: [Finding]) -> Problem {
        let errors = findings.filter { $0.severity == .error }
        let first = errors.first?.message ?? "It cannot be compiled."
        return Problem(
            status: 422,
            code: "invalid_edit",
            title: "The edit is not valid",
            detail: errors.count > 1 ? "\(errors.count) things are wrong; the first: \(first)" : first,
            findings: findings
        )
    }

    /// The problem of a submission that names assets which the coordinator does not have.
    static func assetMissing(_ digests: [ContentDigest]) -> Problem {
        Problem(
            status: 409,
            code: "asset_missing",
            title: "Assets are missing",
            detail:
                "The coordinator does not have \(digests.count) of the assets, or not as they were; send them first.",
            missing: digests
        )
    }
}
