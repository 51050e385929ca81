import CompositionModel
import Foundation
import Planning
import Rendering
import TestSupport
import Timing

extension RenderPlan {
    struct CopiedFrames: CustomStringConvertible {
        var frames: FrameRange
        var digest: ContentDigest
        var sourceFrame: Int64

        var description: String { "\(frames.start)..<\(frames.end) from \(sourceFrame)" }
    }

    /// The copied spans of the whole output.
    var copiedSpans: [CopiedFrames] {
        segments.flatMap { segment in
            (segment.task.copies ?? []).map { span in
                CopiedFrames(
                    frames: FrameRange(start: segment.frames.start + span.frames.start, count: span.frames.count),
                    digest: segment.task.assets[span.asset],
                    sourceFrame: span.sourceFrame
                )
            }
        }
    }
}

extension PlannedEdit {
    func digest(of movie: TestMovie) -> ContentDigest { ContentDigest(of: Data(movie.path.utf8)) }

    /// Renders every segment and joins them.
    /// - Parameter hasSound: whether the sound is rendered too.
    func copiedMovie(
        _ plan: RenderPlan,
        in folder: TemporaryFolder,
        name: String,
        hasSound: Bool = false
    ) async throws -> StitchedMovie {
        var parts: [String] = []
        for (number, segment) in plan.segments.enumerated() {
            let path = folder.path("\(name).\(number).part")
            _ = try SegmentRenderer.render(segment.task, sources: sources(of: segment.task.assets), to: path) { _ in }
            parts.append(path)
        }
        let path = folder.path(name)
        var task = plan.stitchTask()
        task.hasSound = hasSound
        let sounds = hasSound ? try plan.soundPieces.map { try rendered($0.task, in: folder).path } : []
        _ = try Stitcher.stitch(task, parts: parts, sounds: sounds, to: path) { _ in }
        return StitchedMovie(path: path)
    }
}
