import CompositionModel
import Foundation
import Planning
import Sandbox
import WireProtocol

/// Packs the images that a render child made into one artifact.
struct StillPacking {
    /// The folder of the images.
    let folder: String
    /// The frame numbers, in the order in which they were asked for.
    let frames: [Int64]

    /// The request that makes the images of a task, or its sheet.
    /// - Parameter output: the path of a sheet; single images go below `folder`.
    static func request(
        _ task: StillsTask,
        sources: [SourceFile],
        output: String,
        folder: String
    ) -> RenderRequest {
        let order = task.order
        if let sheet = order.sheet {
            return .sheet(
                SheetRequest(
                    task: task.picture,
                    sources: sources,
                    frames: order.frames,
                    columns: sheet.columns,
                    rows: sheet.rows,
                    cell: order.box ?? task.picture.size,
                    format: order.format,
                    output: output
                )
            )
        }
        let stills = order.frames.indices.map { position in
            StillsRequest.Still(frame: order.frames[position], path: path(position, folder))
        }
        return .stills(
            StillsRequest(task: task.picture, sources: sources, stills: stills, format: order.format, box: order.box)
        )
    }

    /// Writes the artifact.
    /// - Parameter refused: The reasons why images are missing, by their positions.
    /// - Throws: `RenderFailed` with the first transient reason, after which the task is tried again; `CocoaError` when
    ///   an image cannot be read or the artifact cannot be written.
    func write(to output: String, _ refused: [Int: Failure]) throws {
        if let failure = refused.sorted(by: { $0.key < $1.key }).map(\.value).first(where: { !$0.isPermanent }) {
            throw RenderFailed(failure)
        }
        let stills = try frames.enumerated().map { position, frame in
            if let failure = refused[position] { return StillPack.Still(frame: frame, image: .failure(failure)) }
            let url = URL(fileURLWithPath: StillPacking.path(position, folder))
            return StillPack.Still(frame: frame, image: .success([UInt8](try Data(contentsOf: url))))
        }
        try Data(StillPack(stills).encoded()).write(to: URL(fileURLWithPath: output))
    }

    /// The path of one image.
    private static func path(_ position: Int, _ folder: String) -> String { folder + "/still-\(position)" }
}
