import CompositionModel
import Foundation
import Media
import Planning
import Rendering
import TestSupport
import Timing
import WireProtocol

/// The rendered parts of an edit and the movie that they are joined to.
struct PreviewJob {
    let plan: RenderPlan
    let movie: StitchedMovie
    let pictures: [String]
    let sounds: [String]
    private let folder: TemporaryFolder

    init(_ edit: PlannedEdit, _ plan: RenderPlan, in folder: TemporaryFolder) async throws {
        (self.plan, self.folder) = (plan, folder)
        let name = "movie." + plan.output.fileExtension
        movie = try await edit.copiedMovie(plan, in: folder, name: name, hasSound: true)
        pictures = plan.segments.indices.map { folder.path("\(name).\($0).part") }
        sounds = try plan.soundPieces.map { try edit.rendered($0.task, in: folder).path }
    }

    private var hasCopies: Bool { plan.segments.contains { $0.task.copies?.isEmpty == false } }

    private func track(_ part: String, _ start: Int64) -> PreviewTrack {
        PreviewTrack(
            part: part,
            start: start,
            bringsParameterSets: hasCopies,
            raster: nil,
            output: folder.path("preview")
        )
    }

    private func head(_ track: PreviewTrack) throws -> (codec: String, file: Data) {
        guard case .track(let codec) = try PreviewMaker.make(.head(track)) else {
            throw RenderError("no_head", "It is no head.")
        }
        return (codec, try Data(contentsOf: URL(fileURLWithPath: track.output)))
    }

    private func fragment(_ track: PreviewTrack) throws -> Data {
        _ = try PreviewMaker.make(.fragment(track))
        return try Data(contentsOf: URL(fileURLWithPath: track.output))
    }

    func head(ofPicture number: Int) throws -> (codec: String, file: Data) { try head(track(pictures[number], 0)) }
    func head(ofSound number: Int) throws -> (codec: String, file: Data) { try head(track(sounds[number], 0)) }

    func fragment(ofPicture number: Int) throws -> Data {
        try fragment(track(pictures[number], plan.segments[number].frames.start))
    }

    func fragment(ofSound number: Int) throws -> Data {
        try fragment(track(sounds[number], plan.soundPieces[number].start))
    }

    func write(_ data: Data, as name: String) throws -> StitchedMovie {
        try data.write(to: URL(fileURLWithPath: folder.path(name)))
        return StitchedMovie(path: folder.path(name))
    }

    /// The path of an image of frames, each a segment and the frame in it.
    func picture(_ cells: [(segment: Int?, frame: Int64)], columns: Int, width: Int) throws -> String {
        let path = folder.path("\(cells).jpg".filter { $0 != "/" })
        let request = PreviewPicture(
            parts: pictures,
            cells: cells.map { PreviewPicture.Cell(part: $0.segment, frame: $0.frame) },
            columns: columns,
            width: width,
            size: plan.stitchTask().size,
            raster: nil,
            output: path
        )
        _ = try PreviewMaker.make(.picture(request))
        return path
    }
}

extension StitchedMovie {
    /// The times of all pictures' packets in ascending order, in ticks of 1/30000 s.
    /// - Parameter entry: ffprobe's name: `dts`; or `pts`, which ffprobe shifts until none is before its dts.
    func packetTimes(_ entry: String) async throws -> [Int] {
        let arguments =
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=" + entry] + ["-of", "csv=p=0", path]
        let text = try await Shell.run("ffprobe", arguments).text
        return text.split(separator: "\n").compactMap { Int($0.filter { $0 != "," }) }.sorted()
    }

    /// The decoded sound, 32-bit floats.
    func samples() async throws -> Data {
        try await Shell.ffmpeg(["-i", path, "-map", "0:a", "-f", "f32le", "-c:a", "pcm_f32le", "-"])
    }
}
