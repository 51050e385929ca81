import CompositionModel
import EditLanguage
import Farm
import Foundation
import WireProtocol

extension JobPlanning {
    /// What an edit needs before it can be submitted. It is read, and not compiled: that takes the media.
    /// - Throws: ``Problem`` `planning_limit`; `CancellationError`.
    func outline(_ edit: EditText, owner: String) async throws -> EditOutline {
        do {
            return try await pool.run(for: owner) {
                let read = EditReader.read(edit.editText, fileName: edit.fileName)
                guard let document = read.document ?? read.draft else {
                    return EditOutline(assets: [], localOnly: [], outputs: [], findings: read.findings)
                }
                return document.outline(read.findings)
            }
        } catch let error as PlanningPool.TookTooLong {
            throw Problem.planningLimit("Reading", error)
        }
    }

    /// What a submission would come to.
    /// - Throws: as ``plan(_:owner:store:)``.
    func estimate(_ submission: JobSubmission, owner: String) async throws -> JobPlan {
        try check(submission)
        let (insertion, warnings) = try await plan(submission, owner: owner) { job in
            let cost = job.tasks.reduce(0) { $0 + $1.costMilliseconds }
            let segments = job.tasks.count { $0.kind == .picture }
            // Nothing is inserted: the view carries the numbers out of the turn.
            let record = JobRecord(job, id: JobID(uuid: UUID()), created: FarmTime(milliseconds: cost))
            let counts = TaskCounts(queued: job.tasks.count - segments, leased: segments)
            return JobInsertion(job: record.view(tasks: counts, permille: 0), isNew: false)
        }
        let job = insertion.job
        return JobPlan(
            frameCount: job.frameCount,
            frameRate: job.frameRate,
            preset: job.preset,
            segmentCount: job.tasks.leased,
            taskCount: job.tasks.total,
            costSeconds: job.created.timeIntervalSince1970,
            findings: warnings
        )
    }
}

extension EditDocument {
    fileprivate func outline(_ findings: [Finding]) -> EditOutline {
        switch self {
        case .edit(let edit):
            let assets = edit.assetSources.sorted { $0.key < $1.key }.map { $1.outline(name: $0) }
            return EditOutline(
                assets: assets,
                localOnly: edit.asksForFonts ? ["titles, of which the fonts are chosen on the submitting machine"] : [],
                outputs: edit.outputs.map(\.preset.value),
                findings: findings
            )
        case .composition(let composition):
            return EditOutline(
                assets: composition.assets.map { EditOutline.Asset(name: $0.name, digest: $0.digest) },
                localOnly: [],
                outputs: composition.outputs.map(\.preset),
                findings: findings
            )
        }
    }
}

extension AssetSource {
    fileprivate func outline(name: String) -> EditOutline.Asset {
        switch self {
        case .path(let path): EditOutline.Asset(name: name, path: path)
        case .digest(let digest): EditOutline.Asset(name: name, digest: digest)
        case .url(let remote): EditOutline.Asset(name: name, path: remote.address, localOnly: "address on the web")
        case .sequence(let path, _): EditOutline.Asset(name: name, path: path, localOnly: "image sequence")
        case .generated: EditOutline.Asset(name: name, localOnly: "generated picture")
        case .generatedSound: EditOutline.Asset(name: name, localOnly: "generated sound")
        case .speech: EditOutline.Asset(name: name, localOnly: "speech")
        case .raw(let path, _): EditOutline.Asset(name: name, path: path, localOnly: "file without a header")
        case .edit(let path, _): EditOutline.Asset(name: name, path: path, localOnly: "nested edit")
        }
    }
}

extension Edit {
    /// Whether text is drawn with fonts of the machine from which the edit is submitted.
    fileprivate var asksForFonts: Bool {
        !fontDescriptors().isEmpty || subtitles.contains { $0.font.assets.isEmpty }
    }
}
