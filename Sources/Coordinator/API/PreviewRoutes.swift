import CompositionModel
import Farm
import HTTPTypes
import Hummingbird
import Planning
import Timing
import WireProtocol

/// What can be seen and played of a movie before it is finished: frames, contact sheets, and its parts as fragments for
/// Media Source Extensions.
struct PreviewRoutes: RouteGroup {
    let store: any FarmStore
    let layouts: OutputLayouts
    let making: PreviewMaking

    /// The widths in pixels that a frame, and a cell of a sheet, may be asked to have.
    private static let frameWidths = 16...4096
    private static let cellWidths = 16...640
    /// The widths that are made. What was asked for is rounded up: each width would be another picture to make and keep.
    private static let madeWidths = [80, 120, 160, 256, 320, 480, 640, 960, 1280, 1920, 2560, 4096]
    /// The most cells in a row or a column of a sheet, and the most of all.
    private static let sides = 1...20
    private static let mostCells = 100

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs/{id}/frame", .view, query: ["frame", "width"]) { request, context in
            try await frame(request, context)
        }
        table.on(.get, "/v1/jobs/{id}/sheet", .view, query: ["columns", "rows", "width"]) { request, context in
            try await sheet(request, context)
        }
        table.on(.get, "/v1/jobs/{id}/preview", .view) { request, context in try await view(request, context) }
        table.on(.get, "/v1/jobs/{id}/preview/{kind}/init", .view) { request, context in
            let (job, layout, track) = try await played(context)
            guard let part = try await store.acceptedParts(of: job, track.first).first,
                let piece = layout.pieces(of: track).at(position: part.position)
            else { throw try await notThere(job) }
            return try await answer(.head(track, piece, part.artifact, in: layout), request, context, as: track.type)
        }
        table.on(.get, "/v1/jobs/{id}/preview/{kind}/{position}", .view) { request, context in
            let (job, layout, track) = try await played(context)
            guard let position = context.parameters.get("position").flatMap({ Int($0) }),
                let piece = layout.pieces(of: track).at(position: position)
            else { throw Problem.notFound }
            guard let part = try await store.acceptedParts(of: job, .at([position])).first else {
                throw try await notThere(job)
            }
            return try await answer(
                .fragment(track, piece, part.artifact, in: layout),
                request,
                context,
                as: track.type
            )
        }
    }

    /// The job of the path and the layout of its movie. No task is read for it once it was asked for.
    /// - Throws: ``Problem``: 410 `not_kept` for a job that was pruned, 409 `no_output` for one that makes no movie.
    private func movie(_ context: FarmRequestContext) async throws -> (JobID, OutputLayout) {
        let job: JobID = try context.identifier()
        if let layout = try await layouts.layout(of: job) { return (job, layout) }
        guard try await context.job(in: store).isPruned != true else { throw Problem.previewNotKept }
        throw Problem.conflict("no_output", "The job makes no movie: there is nothing to preview.")
    }

    /// The same with the track that the path names.
    /// - Throws: also status 404 for another name, and where there is no such track.
    private func played(_ context: FarmRequestContext) async throws -> (JobID, OutputLayout, PreviewTrackKind) {
        let (job, layout) = try await movie(context)
        guard let track = PreviewTrackKind(rawValue: context.parameters.get("kind") ?? ""),
            !layout.pieces(of: track).isEmpty
        else { throw Problem.notFound }
        return (job, layout, track)
    }

    /// The reason why an accepted part is not there.
    private func notThere(_ job: JobID) async throws -> Problem {
        try await store.job(job)?.isPruned == true ? .previewNotKept : .previewNotThere
    }

    // MARK: Pictures

    /// One frame: `?frame=N&width=W`; without a number the middle one of the segment that was finished last.
    private func frame(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (job, layout) = try await movie(context)
        let width = try Self.width(request, Self.frameWidths) ?? 640
        guard layout.stitch.hasPicture else { throw Problem.noPicture }
        let wanted = try request.number("frame", in: 0...Int(max(0, layout.stitch.frameCount - 1))).map(Int64.init)
        let choice = wanted.map { AcceptedPart.Choice.at([layout.pictures.holding($0)?.position ?? -1]) }
        guard let part = try await store.acceptedParts(of: job, choice ?? .newestPicture).first,
            let piece = layout.pictures.at(position: part.position)
        else { throw try await unfinished(job, wanted) }
        let shown = wanted ?? piece.start + piece.count / 2
        let artifacts = [part.position: part.artifact]
        let order = try PreviewOrder.picture(of: [shown], columns: 1, width: width, in: layout, artifacts)
        var response = try await answer(order, request, context, as: "image/jpeg")
        if let name = HTTPField.Name("X-Frame") { response.headers[name] = String(shown) }
        return response
    }

    private func unfinished(_ id: JobID, _ frame: Int64?) async throws -> Problem {
        guard let job = try await store.job(id), job.isPruned != true else { return .previewNotKept }
        let what = frame.map { "Frame \($0) is not" } ?? "No frame is"
        return .conflict("not_finished", "\(what) rendered yet; the job is \(job.state.rawValue).")
    }

    /// A contact sheet: `?columns=&rows=&width=` with frames of even distances, each from the middle of its share of the
    /// output.
    private func sheet(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (job, layout) = try await movie(context)
        let columns = try request.number("columns", in: Self.sides) ?? 6
        let rows = try request.number("rows", in: Self.sides) ?? 4
        let width = try Self.width(request, Self.cellWidths) ?? 160
        guard columns * rows <= Self.mostCells else {
            throw Problem.notUnderstood(
                "“columns” × “rows” is \(columns) × \(rows); a sheet may have \(Self.mostCells) cells at the most."
            )
        }
        guard layout.stitch.hasPicture else { throw Problem.noPicture }
        let (count, cells) = (layout.stitch.frameCount, Int64(columns * rows))
        let frames = (0..<cells).map { min(count - 1, (2 * $0 + 1) * count / (2 * cells)) }
        let positions = Set(frames.compactMap { layout.pictures.holding($0)?.position }).sorted()
        let parts = try await store.acceptedParts(of: job, .at(positions))
        if parts.isEmpty, try await store.job(job)?.isPruned == true { throw Problem.previewNotKept }
        let artifacts = Dictionary(parts.map { ($0.position, $0.artifact) }) { first, _ in first }
        let order = try PreviewOrder.picture(of: frames, columns: columns, width: width, in: layout, artifacts)
        return try await answer(order, request, context, as: "image/jpeg")
    }

    /// The width to make for the one that a request asks for; nil when it asks for none.
    /// - Throws: status 400.
    private static func width(_ request: Request, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let asked = try request.number("width", in: range) else { return nil }
        return madeWidths.first { $0 >= asked }
    }

    // MARK: Playing

    private func view(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (job, layout) = try await movie(context)
        let accepted = try await store.acceptedParts(of: job, .all)
        if accepted.isEmpty, try await store.job(job)?.isPruned == true { throw Problem.previewNotKept }
        let view = PreviewView(layout, accepted: Set(accepted.map(\.position)))
        let picture = try head(of: .picture, layout, accepted)
        let sound = try head(of: .sound, layout, accepted)
        let owner = try context.require([.view]).owner
        let isKept = await making.keeps([picture, sound].compactMap(\.self))
        let answer: @Sendable () async throws -> Response = {
            var view = view
            if let picture { view.setPicture(try await making.item(picture, for: owner).content) }
            if let sound { view.setSound(try await making.item(sound, for: owner).content) }
            return try .json(view)
        }
        return try await isKept ? answer() : request.answeringUnlessTheClientLeaves { _ in try await answer() }
    }

    /// The head of a track by its first part that is there; nil while none is.
    private func head(
        of track: PreviewTrackKind,
        _ layout: OutputLayout,
        _ accepted: [AcceptedPart]
    ) throws -> PreviewOrder? {
        for part in accepted {
            guard let piece = layout.pieces(of: track).at(position: part.position) else { continue }
            return try .head(track, piece, part.artifact, in: layout)
        }
        return nil
    }

    /// What comes of an order, which is not made for somebody who has it. The same address may give another answer later:
    /// a part may be withdrawn and made again.
    /// - Throws: ``Problem``: 409 `no_output` for a track that browsers do not play.
    private func answer(
        _ order: PreviewOrder,
        _ request: Request,
        _ context: FarmRequestContext,
        as type: String
    ) async throws -> Response {
        let owner = try context.require([.view]).owner
        var response: Response
        if request.knows(order.tag) {
            response = Response(status: .notModified, headers: [.eTag: order.tag])
        } else if let file = try await making.kept(order) {
            response = try await .artifact(.file(file), for: request, type: type)
        } else {
            response = try await request.answeringUnlessTheClientLeaves { _ in
                let made = try await making.file(order, for: owner)
                if case .notPlayed(let reason) = made.item.content { throw Problem.conflict("no_output", reason) }
                guard let file = made.file else { throw Problem.previewNotThere }
                return try await .artifact(.file(file), for: request, type: type)
            }
        }
        if response.status.code < 400 { response.headers[.cacheControl] = "private, no-cache" }
        return response
    }
}

extension Problem {
    fileprivate static let noPicture = Problem.conflict("no_output", "The output has no picture.")
}
