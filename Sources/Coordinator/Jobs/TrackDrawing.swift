import CompositionModel
import Farm
import Foundation
import WireProtocol

/// Draws the edits of jobs as timelines, each on a planning thread in its owner's turn and within the memory of
/// submissions. A job's edit never changes: what was drawn lately is not drawn again.
actor TrackDrawing {
    private let store: any FarmStore
    private let pool: PlanningPool
    private let memory: ByteBudget
    private let owners: OwnerCounter
    /// The answers as JSON.
    private var answers = RecentValues<JobID, Data>(limit: TrackDrawing.keptByteCount)

    /// The largest composition of which the tracks are drawn, in bytes: decoding takes about forty times as much memory.
    private static let largestComposition = 4 << 20
    private static let keptByteCount = 16 << 20

    /// - Parameters:
    ///   - owners: limits the timelines that are drawn for one owner, or wait to be drawn.
    ///   - memory: holds the compositions while they are in memory.
    init(store: any FarmStore, pool: PlanningPool, memory: ByteBudget, owners: OwnerCounter) {
        (self.store, self.pool, self.memory, self.owners) = (store, pool, memory, owners)
    }

    /// The same as ``tracks(of:for:)`` if it was drawn lately; else nil.
    func drawn(_ job: JobID) -> Data? { answers.value(of: job) }

    /// The tracks of a job as JSON (``JobTracks``).
    /// - Parameter owner: who asks.
    /// - Throws: ``Problem`` `too_many_timelines`, `planning_limit`; ``FarmStoreError``; `CancellationError`.
    func tracks(of job: JobID, for owner: String) async throws -> Data {
        if let data = drawn(job) { return data }
        guard owners.enter(owner) else { throw Problem.tooManyTimelines(owner, limit: owners.limit) }
        defer { owners.leave(owner) }
        guard let view = try await store.job(job) else { throw FarmStoreError.unknownJob }
        guard view.isPruned != true else { return try WireJSON.encode(view.without("The edit is no longer kept.")) }
        let document = try await StoredDocument(.composition, of: job, in: store)
        guard document.byteCount <= Self.largestComposition else {
            let reason = "The edit is too large to be drawn: \(document.byteCount >> 20) MiB."
            return try WireJSON.encode(view.without(reason))
        }
        let data = try await memory.holding(document.byteCount, of: owner) {
            try await draw(document, view, for: owner)
        }
        answers.keep(data, for: job, cost: data.count)
        return data
    }

    private func draw(_ document: StoredDocument, _ job: JobView, for owner: String) async throws -> Data {
        // Somebody else may have had it drawn while this one waited.
        if let data = drawn(job.id) { return data }
        var (document, text) = (document, Data())
        while let slice = try await document.next() { text += slice }
        do {
            return try await pool.run(for: owner) { [text] in
                guard let composition = try? JSONDecoder().decode(Composition.self, from: text) else {
                    let reason = "The edit was stored by another version, and cannot be drawn."
                    return try WireJSON.encode(job.without(reason))
                }
                return try WireJSON.encode(EditTracks(composition, of: job).tracks)
            }
        } catch let error as PlanningPool.TookTooLong {
            throw Problem.planningLimit("Drawing", error)
        }
    }
}

extension JobView {
    /// No tracks, for a reason.
    fileprivate func without(_ reason: String) -> JobTracks {
        JobTracks(frameRate: frameRate, frameCount: frameCount, tracks: [], omitted: reason)
    }
}

extension Problem {
    /// The problem of an owner for whom more timelines are drawn, or wait to be drawn, than may be at a time.
    fileprivate static func tooManyTimelines(_ owner: String, limit: Int) -> Problem {
        Problem(
            status: 429,
            code: "too_many_timelines",
            title: "Too many at a time",
            detail: "\(limit) timelines are being drawn for “\(owner)”, the most at a time; ask again in a moment."
        )
    }
}
