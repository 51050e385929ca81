public import CompositionModel
public import Timing

/// What the coordinator's stitch child needs: everything but the files.
public struct StitchTask: Sendable, Hashable, Codable {
    public var container: Container
    public var frameRate: FrameRate
    public var frameCount: Int64
    public var sampleRate: Int
    public var sampleCount: Int64
    public var size: PictureSize
    public var color: ColorDescription
    /// Frame count of every picture part in order. The parts themselves are named by the accepted artifacts. Empty when
    /// the output has sound alone.
    public var partFrameCounts: [Int64]
    public var hasSound: Bool
    /// Samples of every part of the sound in order; nil when there is one part, or none.
    public var soundPartCounts: [Int64]?
    public var rendererVersion: Int
    /// As ``PictureTask/libraries``: a muxer of another version may write other bytes.
    public var libraries: [String: String]?
    public var hasPicture: Bool { !partFrameCounts.isEmpty }

    public init(
        container: Container,
        frameRate: FrameRate,
        frameCount: Int64,
        sampleRate: Int,
        sampleCount: Int64,
        size: PictureSize,
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
        self.color = color
        self.partFrameCounts = partFrameCounts
        self.hasSound = hasSound
        self.soundPartCounts = soundPartCounts
        self.rendererVersion = rendererVersion
        self.libraries = libraries
    }
}
