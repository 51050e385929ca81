import CompositionModel
import EditLanguage
import Farm
import Foundation
import Planning
import Storage
import WireProtocol

/// Compiles and plans submissions. It reads what is known of the assets, and decodes no media.
struct JobPlanning: Sendable {
    /// The most names of assets of a submission, with those of the edits that it uses: each is looked for in the database.
    static let mostAssetNames = 20_000

    let store: any FarmStore
    let artifacts: ArtifactLibrary
    let pool: PlanningPool
    /// Says where movies may go by themselves.
    var deliveries = DeliveryPlanning(folders: OutputFolders())
    /// What the submissions of a batch have in common; nil for one that comes alone.
    var recent: RecentFacts?

    /// Makes a job and passes it on, mostly to be stored. Both are one turn of the owner, so that of one owner's plans, which may have hundreds of
    /// megabytes, one is in memory.
    /// - Parameters:
    ///   - owner: the name that belongs to the token by which it was submitted.
    ///   - store: stores the job.
    /// - Returns: the result of `store`, and the warnings that the job's user should know.
    /// - Throws: the error of `store`; ``Problem``: 422 `invalid_edit` with all findings, 409 `asset_missing` with the
    ///   digests to send first, 422 with the planner's code, or `planning_limit`, 409 `output_folder_silent`;
    ///   `CancellationError` when the task is cancelled.
    func plan<Value: Sendable>(
        _ submission: JobSubmission,
        owner: String,
        store: @Sendable (consuming NewJob) async throws -> Value
    ) async throws -> (value: Value, warnings: [Finding]) {
        do {
            return try await planned(submission, owner: owner, store)
        } catch let error as PlanningPool.TookTooLong {
            throw Problem.planningLimit("Planning", error)
        }
    }

    /// An edit that was read, or one that its submission uses, waits for nothing while it is held in memory: what is
    /// known of the assets and of the output folder is collected first, and all else is done in one turn.
    private func planned<Value: Sendable>(
        _ submission: JobSubmission,
        owner: String,
        _ store: @Sendable (consuming NewJob) async throws -> Value
    ) async throws -> (value: Value, warnings: [Finding]) {
        let names = submission.assetNameCount
        guard names <= JobPlanning.mostAssetNames else { throw Problem.tooManyAssetNames(names) }
        let assets = await known(submission.assets)
        let inside = try await known(submission.nested ?? [:], depth: 0)
        let isOccupied = try await deliveries.isOccupied(submission)
        let work: @Sendable () throws -> (NewJob, [Finding]) = {
            let compiled = try compiled(submission, assets.get(), inside)
            var job = try job(submission, owner, compiled.composition, compiled.assets)
            job.delivery = try deliveries.delivery(submission, job.fileExtension, isOccupied: isOccupied)
            return (job, compiled.warnings)
        }
        return try await pool.run(for: owner, work) { planned in
            let warnings = planned.1
            return (try await store(planned.0), warnings)
        }
    }

    /// Reads and compiles an edit. The document that was read leaves the memory before the composition is planned.
    /// - Returns: the composition, the warnings about the edit, and its assets with those of nested edits.
    /// - Throws: ``Problem``: 422 `invalid_edit` with all findings, 409 `asset_missing`; `CancellationError`.
    private func compiled(
        _ submission: JobSubmission,
        _ assets: @autoclosure () throws -> [String: CompilerAsset],
        _ inside: [String: KnownAssets]
    ) throws -> (composition: Composition, warnings: [Finding], assets: [String: CompilerAsset]) {
        let read = EditReader.read(submission.editText, parameters: submission.parameters ?? [:])
        try Task.checkCancellation()
        guard let document = read.document else { throw Problem.invalidEdit(read.findings) }
        // That the edit cannot be read is said before that assets are missing.
        let assets = try assets()
        var parameterBytes = read.parameterBytes
        let nested = try edits(submission.nested ?? [:], inside, &parameterBytes)
        let options = CompileOptions(
            preset: submission.preset,
            range: submission.range,
            copies: submission.copies ?? false,
            match: submission.match
        )
        let compiled = EditCompiler.compile(document, assets: assets, nested: nested, options: options)
        try Task.checkCancellation()
        let findings = read.findings + compiled.findings.map(read.located)
        guard let composition = compiled.composition else { throw Problem.invalidEdit(findings) }
        return (
            composition, findings.filter { $0.severity == .warning }, nested.values.reduce(assets) { $1.adding(to: $0) }
        )
    }

    /// What is known of the assets of an edit that another one uses, and of those that it uses itself.
    private struct KnownAssets {
        var own: Result<[String: CompilerAsset], any Error>
        var nested: [String: KnownAssets]
    }

    /// - Throws: ``Problem`` for edits that are nested too deep.
    private func known(_ submitted: [String: NestedSubmission], depth: Int) async throws -> [String: KnownAssets] {
        guard depth <= Limits.nesting else {
            throw Problem.unprocessable("invalid_edit", "Edits are nested more than \(Limits.nesting) deep.")
        }
        var known: [String: KnownAssets] = [:]
        for (name, edit) in submitted {
            let inside = try await self.known(edit.nested ?? [:], depth: depth + 1)
            known[name] = KnownAssets(own: await self.known(edit.assets), nested: inside)
        }
        return known
    }

    /// The facts of every asset named, or why not: that the edit cannot be read is said first.
    private func known(_ digests: [String: ContentDigest]) async -> Result<[String: CompilerAsset], any Error> {
        do { return .success(try await facts(of: digests)) } catch { return .failure(error) }
    }

    /// Reads the edits that an edit uses as assets.
    /// - Parameter parameterBytes: the bytes that parameters have put into all edits of the submission so far.
    private func edits(
        _ submitted: [String: NestedSubmission],
        _ known: [String: KnownAssets],
        _ parameterBytes: inout Int
    ) throws -> [String: NestedEdit] {
        var edits: [String: NestedEdit] = [:]
        for (name, edit) in submitted.sorted(by: { $0.key < $1.key }) {
            guard let assets = known[name] else { throw Problem.assetMissing(Array(edit.assets.values)) }
            try Task.checkCancellation()
            let read = EditReader.read(
                edit.editText,
                parameters: edit.parameters ?? [:],
                parameterBytes: parameterBytes
            )
            try Task.checkCancellation()
            parameterBytes = read.parameterBytes
            edits[name] = NestedEdit(
                file: edit.file,
                read: read,
                assets: try assets.own.get(),
                nested: try self.edits(edit.nested ?? [:], assets.nested, &parameterBytes)
            )
        }
        return edits
    }

    /// The facts of every asset named.
    /// - Throws: ``Problem`` 409 `asset_missing` with every digest that is not here, or not with facts of this version.
    private func facts(of digests: [String: ContentDigest]) async throws -> [String: CompilerAsset] {
        var assets: [String: CompilerAsset] = [:]
        var missing: Set<ContentDigest> = []
        var seen: [ContentDigest: CompilerAsset] = [:]
        for (name, digest) in digests where !missing.contains(digest) {
            if let asset = seen[digest] ?? recent?[digest] {
                (assets[name], seen[digest]) = (asset, asset)
                continue
            }
            guard let record = try await store.asset(digest)?.record, let facts = record.facts,
                facts.version == AssetFacts.currentVersion, try await artifacts.holds(record)
            else {
                missing.insert(digest)
                continue
            }
            let asset = CompilerAsset(digest: digest, facts: facts)
            recent?.insert(asset)
            (assets[name], seen[digest]) = (asset, asset)
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
            submission: try submission.digest(),
            keyCoversContent: submission.keyCoversContent == true,
            owner: owner,
            title: submission.title,
            preset: product.preset,
            fileExtension: product.fileExtension,
            priority: submission.priority,
            frameCount: product.frameCount,
            frameRate: product.plan.frameRate,
            copying: submission.product == .movie ? product.plan.copying : nil,
            window: submission.window,
            afterJobs: submission.afterJobs ?? [],
            deadline: submission.deadline.map { FarmTime($0) },
            audit: submission.audit,
            requirements: Requirements(submission.requirements ?? []),
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

extension JobSubmission {
    /// The digest that a repetition under the same key must have, unless the key covers the content. It is the same
    /// whatever trace a repetition belongs to, and also from a coordinator that does not know of such keys.
    func digest() throws -> ContentDigest {
        var said = self
        said.traceparent = nil
        said.keyCoversContent = nil
        return ContentDigest(of: try WireJSON.encode(said))
    }

    /// The number of names of assets, with those of all edits that are nested.
    fileprivate var assetNameCount: Int { assets.count + (nested ?? [:]).values.reduce(0) { $0 + $1.assetNameCount } }
}

extension NestedSubmission {
    fileprivate var assetNameCount: Int { assets.count + (nested ?? [:]).values.reduce(0) { $0 + $1.assetNameCount } }
}

extension Problem {
    /// The problem of a submission that names more assets than are looked for.
    static func tooManyAssetNames(_ count: Int) -> Problem {
        let most = "at most \(JobPlanning.mostAssetNames) are looked for"
        return unprocessable(
            "invalid_request",
            "The submission names \(count) assets, with those of the edits that it uses; \(most). Send no name that the edit does "
                + "not use."
        )
    }

    /// The problem of an edit that took too long.
    /// - Parameter doing: what took so long, as the beginning of a sentence.
    static func planningLimit(_ doing: String, _ error: PlanningPool.TookTooLong) -> Problem {
        unprocessable(
            "planning_limit",
            "\(doing) this edit took more than \(error.limit.components.seconds) s; divide it into shorter ones."
        )
    }

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
