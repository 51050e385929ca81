import Planning
import Foundation
import Sandbox
import CompositionModel
import WireProtocol

/// Puts the images that a render child made into one artifact.
struct StillPacking {
    let folder: String
    /// In the order in which they were asked for.
    let frames: [Int64]

    /// - Parameter output: where a sheet goes; single images go below `folder`.
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

    /// - Parameter refused: why images are missing, by their positions.
    /// - Throws: `RenderFailed` with the first reason that is not for good: the task is tried again.
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

    private static func path(_ position: Int, _ folder: String) -> String { folder + "/still-\(position)" }
}
