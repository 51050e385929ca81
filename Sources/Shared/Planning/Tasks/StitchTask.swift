package import CompositionModel
package import Timing

/// What the coordinator's stitch child needs to join the parts of an output, except the files.
package struct StitchTask: Sendable, Hashable, Codable {
    /// The container of the output file.
    package var container: Container
    /// The frame rate of the picture.
    package var frameRate: FrameRate
    /// The number of frames of the output.
    package var frameCount: Int64
    /// Samples per second per channel.
    package var sampleRate: Int
    /// The number of samples per channel of the output.
    package var sampleCount: Int64
    /// The size of the coded picture, in pixels.
    package var size: PictureSize
    /// How the coded picture lies; nil where it is coded as it is shown.
    package var raster: CodedRaster?
    /// The colour description of the picture.
    package var color: ColorDescription
    /// The frame count of every picture part, in order; the accepted artifacts name the parts themselves. Empty when
    /// the output has sound alone.
    package var partFrameCounts: [Int64]
    /// Whether the output has sound.
    package var hasSound: Bool
    /// The samples per channel of every sound part, in order; nil when there is at most one part.
    package var soundPartCounts: [Int64]?
    /// The version of the renderer; see ``Renderer/version``.
    package var rendererVersion: Int
    /// The library versions, as in ``PictureTask/libraries``: a muxer of another version may write other bytes.
    package var libraries: [String: String]?
    /// Whether the output has a picture.
    package var hasPicture: Bool { !partFrameCounts.isEmpty }

    package init(
        container: Container,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        size: PictureSize,
        raster: CodedRaster? = nil,
        color: ColorDescription,
        partFrameCounts: [Int64],
        hasSound: Bool,
        soundPartCounts: [Int64]? = nil,
        rendererVersion: Int,
        libraries: [String: String]? = nil
    ) {
        self.container = container
        self.frameRate = frameRate
        self.frameCount = frameCount
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount
        self.size = size
        self.raster = raster
        self.color = color
        self.partFrameCounts = partFrameCounts
        self.hasSound = hasSound
        self.soundPartCounts = soundPartCounts
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}
