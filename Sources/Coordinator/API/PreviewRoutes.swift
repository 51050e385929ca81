import Farm
import Foundation
import HTTPTypes
import Hummingbird
import Planning
import Storage
import Timing
import WireProtocol

/// What can be seen and played of a movie before it is finished: frames, contact sheets, and its parts as fragments for
/// Media Source Extensions.
struct PreviewRoutes: RouteGroup {
    let store: any FarmStore
    let making: PreviewMaking

    /// The widths in pixels that a frame, or a cell of a sheet, may have.
    private static let widths = 16...4096
    /// The most cells in a row or a column of a sheet, and the most of all.
    private static let sides = 1...20
    private static let mostCells = 100

    func add(to table: RouteTable) {
        table.on(.get, "/v1/jobs/{id}/frame", .view) { request, context in try await frame(request, context) }
        table.on(.get, "/v1/jobs/{id}/sheet", .view) { request, context in try await sheet(request, context) }
        table.on(.get, "/v1/jobs/{id}/preview", .view) { _, context in
            let (job, output) = try await movie(context)
            return try .json(try await view(of: output, job, for: context.require([.view]).owner))
        }
        table.on(.get, "/v1/jobs/{id}/preview/{kind}/init", .view) { request, context in
            let (_, output) = try await movie(context)
            let parts = try context.parts(of: output)
            guard let first = parts.first(where: { $0.artifact != nil }) else { throw Problem.previewNotThere }
            let item = try await making.head(first, in: output, for: context.require([.view]).owner)
            return try await played(item, request, as: parts[0].isSound ? "audio/mp4" : "video/mp4", canChange: true)
        }
        table.on(.get, "/v1/jobs/{id}/preview/{kind}/{position}", .view) { request, context in
            let (_, output) = try await movie(context)
            let parts = try context.parts(of: output)
            guard let position = context.parameters.get("position").flatMap({ Int($0) }),
                let part = parts.first(where: { $0.position == position })
            else { throw Problem.notFound }
            let item = try await making.fragment(part, in: output, for: context.require([.view]).owner)
            return try await played(item, request, as: part.isSound ? "audio/mp4" : "video/mp4", canChange: false)
        }
    }

    /// The job of the path and the parts of its movie.
    /// - Throws: ``Problem``: 410 `not_kept` for a job that was pruned, 409 `no_output` for one that makes no movie.
    private func movie(_ context: FarmRequestContext) async throws -> (JobView, OutputParts) {
        let job = try await context.job(in: store)
        guard let output = try await store.outputParts(of: job.id) else {
            guard job.isPruned != true else { throw Problem.previewNotKept }
            throw Problem.conflict("no_output", "The job makes no movie: there is nothing to preview.")
        }
        return (job, output)
    }

    /// One frame: `?frame=N&width=W`; without a number the middle one of the segment that was finished last.
    private func frame(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (job, output) = try await movie(context)
        let width = try request.number("width", in: Self.widths) ?? 640
        let wanted = try request.number("frame", in: 0...Int(max(0, output.stitch.frameCount - 1))).map(Int64.init)
        guard output.stitch.hasPicture else { throw Problem.conflict("no_output", "The output has no picture.") }
        guard let frame = wanted ?? output.newestPicture.map({ $0.start + $0.count / 2 }),
            output.pictures.holding(frame)?.artifact != nil
        else {
            let what = wanted.map { "Frame \($0)" } ?? "No frame"
            throw Problem.conflict(
                "not_finished",
                "\(what) is \(wanted == nil ? "" : "not ")rendered yet; the job is \(job.state.rawValue)."
            )
        }
        let owner = try context.require([.view]).owner
        let item = try await making.picture(of: [frame], columns: 1, width: width, in: output, for: owner)
        var response = try await image(item, request, canChange: wanted == nil)
        if let name = HTTPField.Name("X-Frame") { response.headers[name] = String(frame) }
        return response
    }

    /// A contact sheet: `?columns=&rows=&width=` with frames of even distances, each from the middle of its share of the
    /// output.
    private func sheet(_ request: Request, _ context: FarmRequestContext) async throws -> Response {
        let (_, output) = try await movie(context)
        let columns = try request.number("columns", in: Self.sides) ?? 6
        let rows = try request.number("rows", in: Self.sides) ?? 4
        let width = try request.number("width", in: 16...640) ?? 160
        guard columns * rows <= Self.mostCells else {
            throw Problem.notUnderstood("A sheet may have \(Self.mostCells) cells, and this one has \(columns * rows).")
        }
        guard output.stitch.hasPicture else { throw Problem.conflict("no_output", "The output has no picture.") }
        let (count, cells) = (output.stitch.frameCount, Int64(columns * rows))
        let frames = (0..<cells).map { min(count - 1, (2 * $0 + 1) * count / (2 * cells)) }
        let owner = try context.require([.view]).owner
        let item = try await making.picture(of: frames, columns: columns, width: width, in: output, for: owner)
        return try await image(item, request, canChange: true)
    }

    // MARK: Playing

    private func view(of output: OutputParts, _ job: JobView, for owner: String) async throws -> PreviewView {
        let stitch = output.stitch
        let rate = Double(stitch.frameRate.numerator) / Double(stitch.frameRate.denominator)
        let parts = output.parts.map { part in
            let unit = part.isSound ? Double(stitch.sampleRate) : rate
            return PreviewView.Part(
                kind: part.isSound ? .sound : .picture,
                position: part.position,
                start: Double(part.start) / unit,
                end: Double(part.end) / unit,
                isThere: part.artifact != nil
            )
        }
        var view = PreviewView(
            frameRate: stitch.frameRate,
            frameCount: stitch.frameCount,
            duration: stitch.hasPicture
                ? Double(stitch.frameCount) / rate : Double(stitch.sampleCount) / Double(stitch.sampleRate),
            parts: parts
        )
        let picture = try await codec(of: output.pictures, output, owner)
        let sound = try await codec(of: output.sounds, output, owner)
        (view.reason, view.soundReason) = (picture.reason, sound.reason)
        view.pictureType = picture.codec.map { "video/mp4; codecs=\"\($0)\"" }
        view.soundType = sound.codec.map { "audio/mp4; codecs=\"\($0)\"" }
        let codecs = [picture.codec, sound.codec].compactMap(\.self)
        if view.pictureType != nil { view.type = "video/mp4; codecs=\"\(codecs.joined(separator: ", "))\"" }
        return view
    }

    /// The codec of a track by its first part that is there, or why it is not played; neither while no part is there.
    private func codec(
        of parts: [OutputParts.Part],
        _ output: OutputParts,
        _ owner: String
    ) async throws -> (codec: String?, reason: String?) {
        guard let first = parts.first(where: { $0.artifact != nil }) else { return (nil, nil) }
        switch try await making.head(first, in: output, for: owner).content {
        case .track(let codec): return (codec, nil)
        case .notPlayed(let reason): return (nil, reason)
        case .plain: return (nil, nil)
        }
    }

    /// - Throws: ``Problem``: 409 `no_output` for a track that browsers do not play.
    private func played(
        _ item: PreviewItem,
        _ request: Request,
        as type: String,
        canChange: Bool
    ) async throws -> Response {
        if case .notPlayed(let reason) = item.content { throw Problem.conflict("no_output", reason) }
        return try await answer(item, request, as: type, canChange: canChange)
    }

    private func image(_ item: PreviewItem, _ request: Request, canChange: Bool) async throws -> Response {
        try await answer(item, request, as: "image/jpeg", canChange: canChange)
    }

    /// - Parameter canChange: whether the same address may give another answer later.
    private func answer(
        _ item: PreviewItem,
        _ request: Request,
        as type: String,
        canChange: Bool
    ) async throws -> Response {
        var response = Response.file(try await making.shelf.file(of: item), for: request, type: type)
        if canChange { response.headers[.cacheControl] = "private, no-cache" }
        return response
    }
}

extension FarmRequestContext {
    /// The parts of the track that the path names.
    /// - Throws: status 404 for another name, and where there is no such track.
    fileprivate func parts(of output: OutputParts) throws(Problem) -> [OutputParts.Part] {
        let parts =
            switch parameters.get("kind") {
            case "picture": output.pictures
            case "sound": output.sounds
            default: [OutputParts.Part]()
            }
        guard !parts.isEmpty else { throw .notFound }
        return parts
    }
}

extension Request {
    /// A whole number of the address's query; nil where there is none of this name.
    /// - Throws: status 400 for one out of `range`, and for what is no number.
    fileprivate func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .notUnderstood("“\(name)” is a whole number from \(range.lowerBound) to \(range.upperBound) here.")
        }
        return number
    }
}
