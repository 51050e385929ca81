package import CompositionModel
package import Timing

/// The answer to `POST /v1/jobs:plan`: what a submission would come to.
package struct JobPlan: Sendable, Hashable, Codable {
    /// The number of frames of the output.
    package var frameCount: Int64
    package var frameRate: FrameRate
    /// The name of the preset, or of what is made in place of a movie.
    package var preset: String
    /// The number of segments of the picture.
    package var segmentCount: Int
    /// The number of all tasks.
    package var taskCount: Int
    /// The cost of all tasks in seconds of one idle core.
    package var costSeconds: Double
    /// The warnings about the edit.
    package var findings: [Finding]

    package init(
        frameCount: Int64,
        frameRate: FrameRate,
        preset: String,
        segmentCount: Int,
        taskCount: Int,
        costSeconds: Double,
        findings: [Finding] = []
    ) {
        self.frameCount = frameCount
        self.frameRate = frameRate
        self.preset = preset
        self.segmentCount = segmentCount
        self.taskCount = taskCount
        self.costSeconds = costSeconds
        self.findings = findings
    }
}
