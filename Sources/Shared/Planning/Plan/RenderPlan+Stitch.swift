import CompositionModel
import Timing

extension RenderPlan {
    /// Returns the task that joins the results of this plan's tasks, without library versions.
    package func stitchTask() -> StitchTask {
        StitchTask(
            container: output.container,
            frameRate: frameRate,
            frameCount: frameCount,
            sampleRate: sampleRate,
            sampleCount: sampleCount,
            size: output.video?.raster?.size ?? output.size,
            raster: output.video?.raster,
            color: segments.first?.task.color ?? .bt709,
            partFrameCounts: segments.map(\.frames.count),
            hasSound: sound != nil,
            soundPartCounts: soundPieces.count > 1 ? soundPieces.map(\.task.sampleCount) : nil,
            rendererVersion: Renderer.version
        )
    }
}
