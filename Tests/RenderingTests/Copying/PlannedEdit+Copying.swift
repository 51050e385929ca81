import Planning
import Rendering
import TestSupport

extension PlannedEdit {
    /// Renders every segment and joins them.
    func copiedMovie(
        _ plan: RenderPlan,
        in folder: TemporaryFolder,
        name: String
    ) async throws -> StitchedMovie {
        var parts: [String] = []
        for (number, segment) in plan.segments.enumerated() {
            let path = folder.path("\(name).\(number).part")
            _ = try SegmentRenderer.render(segment.task, sources: sources(of: segment.task.assets), to: path) { _ in }
            parts.append(path)
        }
        let path = folder.path(name)
        var task = plan.stitchTask()
        task.hasSound = false
        _ = try Stitcher.stitch(task, parts: parts, sounds: [], to: path) { _ in }
        return StitchedMovie(path: path)
    }
}
