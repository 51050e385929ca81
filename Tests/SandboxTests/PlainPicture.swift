import CompositionModel
import Foundation
import Planning
import Timing
import WireProtocol

extension RenderRequest {
    /// Frames of one colour, and the files at `sources`, four bytes each, which nothing shows.
    static func plainPicture(
        _ size: PictureSize,
        frames: Int64,
        sources: [String] = [],
        output: String
    ) throws -> RenderRequest {
        let task = PictureTask(
            frameRate: try FrameRate(25),
            size: size,
            color: .bt709,
            background: "#102030",
            frameCount: frames,
            postRollCount: 0,
            assets: sources.indices.map { ContentDigest(of: Data("\($0)".utf8)) },
            instructions: [SliceInstruction(frames: FrameRange(start: 0, count: frames), layers: [])],
            encoding: VideoEncoding(codec: .ffv1, speed: nil, crfThousandths: nil, keyframeInterval: 1, postRoll: 0),
            rendererVersion: Renderer.version
        )
        let facts = AssetFacts(container: "", byteCount: 4, video: [], audio: [])
        let files = sources.map { SourceFile(path: $0, byteCount: 4, isComplete: true, facts: facts) }
        return .picture(PictureRequest(task: task, sources: files, output: output))
    }
}
