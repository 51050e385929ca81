public import Timing

/// What probing one file found: all that compiling and planning need to know of it.
///
/// Every time is *source time*: seconds from the asset's zero, which is the presentation time of its first picture
/// (of the default video stream), or of its first audible sample when it has no picture.
public struct AssetFacts: Sendable, Hashable, Codable {
    /// Raised when the meaning of a field changes; facts of another version are probed again.
    public static let currentVersion = 6

    public var version: Int
    /// libavformat's name, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    public var container: String
    public var byteCount: Int64
    public var video: [VideoStreamFacts]
    public var audio: [AudioStreamFacts]
    /// Faces of a font file; nil for media.
    public var fonts: [FontFaceFacts]?
    /// Of a colour table; nil for all else.
    public var lut: ColorTableFacts?
    /// Of a subtitle file; nil for all else.
    public var subtitles: SubtitleFacts?

    public init(
        container: String,
        byteCount: Int64,
        video: [VideoStreamFacts],
        audio: [AudioStreamFacts],
        fonts: [FontFaceFacts]? = nil,
        lut: ColorTableFacts? = nil,
        subtitles: SubtitleFacts? = nil
    ) {
        version = AssetFacts.currentVersion
        self.container = container
        self.byteCount = byteCount
        self.video = video
        self.audio = audio
        self.fonts = fonts
        self.lut = lut
        self.subtitles = subtitles
    }

    /// The stream shown when an edit names none: the one marked default, else the first; cover art never counts.
    public var defaultVideo: VideoStreamFacts? { video.first(where: \.isDefault) ?? video.first }
    /// The stream heard when an edit names none: the enabled or default one of its alternate group, else the first.
    public var defaultAudio: AudioStreamFacts? { audio.first(where: \.isDefault) ?? audio.first }
}

/// One picture stream of an asset. Cover art and thumbnails are left out.
public struct VideoStreamFacts: Sendable, Hashable, Codable {
    /// libavformat's stream index in the file.
    public var streamIndex: Int
    public var codec: String
    public var profile: String?
    /// Coded size in pixels, before rotation and pixel aspect.
    public var width: Int
    public var height: Int
    /// libavutil's name, such as `yuv420p`.
    public var pixelFormat: String
    /// Sample aspect ratio, 1/1 when unknown.
    public var pixelAspect: RationalTime
    /// How the picture is to be turned for display: one of the 8 orientations.
    public var orientation: Orientation
    public var color: ColorDescription
    /// Seconds per tick of pts and dts.
    public var timeBase: RationalTime
    /// The exact rate when the stream is constant: shown frame n starts at n × frameDuration, give or take the
    /// rounding to a tick of the container's time base, which is undone. Else the average rate.
    public var frameRate: FrameRate
    public var isVariableRate: Bool
    /// Only at a variable rate: source time of every shown frame in ticks of `timeBase`, ascending from 0.
    public var frameTimes: [Int64]?
    /// Frames that are shown (edit list applied).
    public var frameCount: Int64
    /// Pictures that the edit list hides; nil in facts that were found before this was counted.
    public var hiddenFrameCount: Int64?
    /// From the first picture to the end of the last one.
    public var duration: RationalTime
    /// The shown frames at which decoding may start (IDR or equivalent), as frame numbers in presentation order from 0,
    /// ascending.
    public var keyframes: [Int64]
    public var language: String?
    public var isDefault: Bool

    /// Width and height as displayed: turned, with square pixels (the width scaled by the aspect, rounded to nearest).
    public var displaySize: PictureSize {
        let (top, bottom) = (Int(pixelAspect.numerator), Int(pixelAspect.denominator))
        let squareWidth = (width * top + bottom / 2) / bottom
        return orientation.swapsSides
            ? PictureSize(width: height, height: squareWidth) : PictureSize(width: squareWidth, height: height)
    }

    public init(
        streamIndex: Int,
        codec: String,
        profile: String?,
        width: Int,
        height: Int,
        pixelFormat: String,
        pixelAspect: RationalTime,
        orientation: Orientation,
        color: ColorDescription,
        timeBase: RationalTime,
        frameRate: FrameRate,
        isVariableRate: Bool,
        frameTimes: [Int64]? = nil,
        frameCount: Int64,
        hiddenFrameCount: Int64? = nil,
        duration: RationalTime,
        keyframes: [Int64],
        language: String?,
        isDefault: Bool
    ) {
        self.streamIndex = streamIndex
        self.codec = codec
        self.profile = profile
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        self.pixelAspect = pixelAspect
        self.orientation = orientation
        self.color = color
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.isVariableRate = isVariableRate
        self.frameTimes = frameTimes
        self.frameCount = frameCount
        self.hiddenFrameCount = hiddenFrameCount
        self.duration = duration
        self.keyframes = keyframes
        self.language = language
        self.isDefault = isDefault
    }
}

/// One sound stream of an asset.
public struct AudioStreamFacts: Sendable, Hashable, Codable {
    /// libavformat's stream index in the file.
    public var streamIndex: Int
    public var codec: String
    public var profile: String?
    public var sampleRate: Int
    public var channels: Int
    /// libavutil's description, such as `5.1(side)`.
    public var channelLayout: String
    /// Source time of the first audible sample (priming removed): 0 for a file without picture.
    public var start: RationalTime
    /// Audible samples per channel at `sampleRate`.
    public var sampleCount: Int64
    public var language: String?
    public var isDefault: Bool
    /// Where decoding begins, beside the start; nil where it begins there only.
    public var cells: SoundCells?
    /// What is missing of it, as far as that can be known without decoding it; nil for nothing.
    public var flaws: SoundFlaws?

    public init(
        streamIndex: Int,
        codec: String,
        profile: String?,
        sampleRate: Int,
        channels: Int,
        channelLayout: String,
        start: RationalTime,
        sampleCount: Int64,
        language: String?,
        isDefault: Bool,
        cells: SoundCells? = nil,
        flaws: SoundFlaws? = nil
    ) {
        (self.cells, self.flaws) = (cells, flaws)
        self.streamIndex = streamIndex
        self.codec = codec
        self.profile = profile
        self.sampleRate = sampleRate
        self.channels = channels
        self.channelLayout = channelLayout
        self.start = start
        self.sampleCount = sampleCount
        self.language = language
        self.isDefault = isDefault
    }
}

/// Width and height in pixels.
public struct PictureSize: Sendable, Hashable, Codable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The 8 ways a display matrix may turn a picture: first mirrored left to right or not, then turned clockwise.
public struct Orientation: Sendable, Hashable, Codable {
    /// Clockwise: 0, 90, 180 or 270.
    public var degrees: Int
    public var isMirrored: Bool

    public static let upright = Orientation(degrees: 0, isMirrored: false)

    public init(degrees: Int, isMirrored: Bool) {
        precondition([0, 90, 180, 270].contains(degrees))
        self.degrees = degrees
        self.isMirrored = isMirrored
    }

    /// Whether width and height change places.
    public var swapsSides: Bool { degrees % 180 != 0 }
}

/// Colour as ISO/IEC 23091-2 names it, in libavutil's words. Never "unknown": probing decides.
public struct ColorDescription: Sendable, Hashable, Codable {
    /// `bt709`, `smpte170m`, `bt2020nc`, …
    public var matrix: String
    public var isFullRange: Bool
    public var primaries: String
    public var transfer: String

    public static let bt709 = ColorDescription(
        matrix: "bt709",
        isFullRange: false,
        primaries: "bt709",
        transfer: "bt709"
    )

    public init(matrix: String, isFullRange: Bool, primaries: String, transfer: String) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.primaries = primaries
        self.transfer = transfer
    }
}
