package import Timing

/// The facts that probing one file found: all that compiling and planning need to know about it.
///
/// Every time is *source time*: seconds from the asset's zero, which is the presentation time of its first picture
/// (of the default video stream), or of its first audible sample when it has no picture.
package struct AssetFacts: Sendable, Hashable, Codable {
    /// The version of these facts, raised when the meaning of a field changes; files with facts of another version are
    /// probed again.
    package static let currentVersion = 16

    package var version: Int
    /// The name that libavformat gives the container, such as `mov,mp4,m4a,3gp,3g2,mj2`.
    package var container: String
    /// The major brand of an ISO base media file, such as `qt  ` of QuickTime; nil of any other file.
    package var brand: String?
    /// The size of the file in bytes.
    package var byteCount: Int64
    /// The picture streams in the file's order, without cover art and thumbnails.
    package var video: [VideoStreamFacts]
    package var audio: [AudioStreamFacts]
    /// The faces of a font file; nil for any other file.
    package var fonts: [FontFaceFacts]?
    /// The facts of a colour table; nil for any other file.
    package var lut: ColorTableFacts?
    /// The facts of a subtitle file; nil for any other file.
    package var subtitles: SubtitleFacts?
    /// The pictures attached to a file, such as an album's cover, which no track shows; nil when there are none.
    package var artwork: [ArtworkFacts]?

    package init(
        container: String,
        brand: String? = nil,
        byteCount: Int64,
        video: [VideoStreamFacts],
        audio: [AudioStreamFacts],
        fonts: [FontFaceFacts]? = nil,
        lut: ColorTableFacts? = nil,
        subtitles: SubtitleFacts? = nil,
        artwork: [ArtworkFacts]? = nil
    ) {
        version = AssetFacts.currentVersion
        self.container = container
        self.brand = brand
        self.byteCount = byteCount
        self.video = video
        self.audio = audio
        self.fonts = fonts
        self.lut = lut
        self.subtitles = subtitles
        self.artwork = artwork
    }

    /// The stream shown when an edit names none: the one marked default, else the first; nil without any. Cover art
    /// never counts.
    package var defaultVideo: VideoStreamFacts? { video.first(where: \.isDefault) ?? video.first }
    /// The stream heard when an edit names none: the enabled or default one of its alternate group, else the first; nil
    /// without any.
    package var defaultAudio: AudioStreamFacts? { audio.first(where: \.isDefault) ?? audio.first }
}

/// One picture stream of an asset. Cover art and thumbnails are left out.
package struct VideoStreamFacts: Sendable, Hashable, Codable {
    /// The stream's index in libavformat.
    package var streamIndex: Int
    /// The name of the codec in libavcodec, such as `h264`.
    package var codec: String
    package var profile: String?
    /// The coded width in pixels, before rotation and pixel aspect.
    package var width: Int
    /// The coded height in pixels, before rotation and pixel aspect.
    package var height: Int
    /// The name of the pixel format in libavutil, such as `yuv420p`.
    package var pixelFormat: String
    /// The width of a pixel divided by its height; 1/1 when unknown.
    package var pixelAspect: RationalTime
    /// The rotation and mirroring of the picture for display: one of the 8 orientations.
    package var orientation: Orientation
    package var color: ColorDescription
    /// Whether the file does not say the colour, so that it follows the picture's height (docs/media.md); nil is false.
    package var isColorGuessed: Bool?
    /// The field that comes first in an interlaced stream, by its first picture; nil for a progressive one.
    package var firstField: FieldOrder?
    /// The seconds per tick of pts and dts.
    package var timeBase: RationalTime
    /// The exact rate of a stream of constant rate, else the average rate. At a constant rate, shown frame n starts at
    /// n × frameDuration: the container's rounding to ticks of its time base is undone.
    package var frameRate: FrameRate
    /// Whether the frames have no constant distance; then ``frameTimes`` states their times.
    package var isVariableRate: Bool
    /// The source time of every shown frame in ticks of `timeBase`, ascending from 0; nil at a constant rate.
    package var frameTimes: [Int64]?
    /// The number of frames that are shown, with the edit list applied.
    package var frameCount: Int64
    /// The number of pictures that the edit list hides; nil in facts found before this was counted.
    package var hiddenFrameCount: Int64?
    /// What copying the coded pictures needs to know; nil for a codec whose bitstream is not read.
    package var copy: CopyFacts?
    /// The time from the start of the first picture to the end of the last one, in seconds.
    package var duration: RationalTime
    /// The shown frames at which decoding may start (IDR or equivalent), as frame numbers in presentation order from 0,
    /// ascending.
    package var keyframes: [Int64]
    /// The language that the file states for the stream; nil when it states none.
    package var language: String?
    package var isDefault: Bool

    /// The size as displayed, in square pixels: turned, with the width scaled by the pixel aspect and rounded to the
    /// nearest.
    package var displaySize: PictureSize {
        let (top, bottom) = (Int(pixelAspect.numerator), Int(pixelAspect.denominator))
        let squareWidth = (width * top + bottom / 2) / bottom
        return orientation.swapsSides
            ? PictureSize(width: height, height: squareWidth) : PictureSize(width: squareWidth, height: height)
    }

    package init(
        streamIndex: Int,
        codec: String,
        profile: String?,
        width: Int,
        height: Int,
        pixelFormat: String,
        pixelAspect: RationalTime,
        orientation: Orientation,
        color: ColorDescription,
        isColorGuessed: Bool? = nil,
        firstField: FieldOrder? = nil,
        timeBase: RationalTime,
        frameRate: FrameRate,
        isVariableRate: Bool,
        frameTimes: [Int64]? = nil,
        frameCount: Int64,
        hiddenFrameCount: Int64? = nil,
        copy: CopyFacts? = nil,
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
        self.isColorGuessed = isColorGuessed
        self.firstField = firstField
        self.timeBase = timeBase
        self.frameRate = frameRate
        self.isVariableRate = isVariableRate
        self.frameTimes = frameTimes
        self.frameCount = frameCount
        self.hiddenFrameCount = hiddenFrameCount
        self.copy = copy
        self.duration = duration
        self.keyframes = keyframes
        self.language = language
        self.isDefault = isDefault
    }
}

/// The field of an interlaced picture that was filmed first.
package enum FieldOrder: String, Sendable, Hashable, Codable {
    /// Rows 0, 2, 4, … first.
    case top
    /// Rows 1, 3, 5, … first.
    case bottom
}

/// A picture attached to a file, which is no track.
package struct ArtworkFacts: Sendable, Hashable, Codable {
    /// The name of the codec in libavcodec, such as `mjpeg`.
    package var codec: String
    /// The width and the height in pixels.
    package var size: PictureSize

    package init(codec: String, size: PictureSize) { (self.codec, self.size) = (codec, size) }
}

/// One sound stream of an asset.
package struct AudioStreamFacts: Sendable, Hashable, Codable {
    /// The stream's index in libavformat.
    package var streamIndex: Int
    /// The name of the codec in libavcodec, such as `aac`.
    package var codec: String
    package var profile: String?
    /// The sample rate in Hz.
    package var sampleRate: Int
    package var channels: Int
    /// The description of the channel layout by libavutil, such as `5.1(side)`.
    package var channelLayout: String
    /// The source time of the first audible sample, with priming removed, in seconds; 0 for a file without picture.
    package var start: RationalTime
    /// The number of audible samples per channel at `sampleRate`.
    package var sampleCount: Int64
    /// The language that the file states for the stream; nil when it states none.
    package var language: String?
    package var isDefault: Bool
    /// The points besides the start at which decoding may begin; nil when it always begins at the start.
    package var cells: SoundCells?
    /// The largest distance in samples of a packet's time from the end of the sound before it, where the times waver
    /// around a continuous sound; nil where they do not.
    package var timeJitter: Int64?
    /// The damage that can be seen without decoding; nil when there is none.
    package var flaws: SoundFlaws?
    /// The parts of a stream that consists of several files joined byte by byte; nil for any other. ``cells`` are those
    /// of the parts then, and each part is read by its own.
    package var parts: [SoundPart]?
    /// What copying the packets needs to know; nil for a codec whose packets are not read.
    package var copy: SoundCopyFacts?

    package init(
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
        timeJitter: Int64? = nil,
        flaws: SoundFlaws? = nil,
        parts: [SoundPart]? = nil,
        copy: SoundCopyFacts? = nil
    ) {
        (self.cells, self.timeJitter, self.flaws, self.parts, self.copy) = (cells, timeJitter, flaws, parts, copy)
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

/// A width and a height in pixels.
package struct PictureSize: Sendable, Hashable, Codable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The 8 orientations that a display matrix may give a picture: mirrored left to right or not, then turned clockwise.
package struct Orientation: Sendable, Hashable, Codable {
    /// The clockwise rotation in degrees: 0, 90, 180 or 270.
    package var degrees: Int
    package var isMirrored: Bool

    package static let upright = Orientation(degrees: 0, isMirrored: false)

    /// - Precondition: `degrees` is 0, 90, 180 or 270.
    package init(degrees: Int, isMirrored: Bool) {
        precondition([0, 90, 180, 270].contains(degrees))
        self.degrees = degrees
        self.isMirrored = isMirrored
    }

    /// Whether width and height are exchanged.
    package var swapsSides: Bool { degrees % 180 != 0 }
}

/// The colour description of ISO/IEC 23091-2, in libavutil's names. No field is ever "unknown": probing chooses a
/// value.
package struct ColorDescription: Sendable, Hashable, Codable {
    /// The matrix coefficients, such as `bt709`, `smpte170m` or `bt2020nc`.
    package var matrix: String
    /// Whether luma uses the full range, 0…255 at 8 bits, and not 16…235.
    package var isFullRange: Bool
    /// The colour primaries, such as `bt709`.
    package var primaries: String
    /// The transfer characteristics, such as `bt709`.
    package var transfer: String

    /// BT.709 of limited range, the only colour that an edit may have in this version.
    package static let bt709 = ColorDescription(
        matrix: "bt709",
        isFullRange: false,
        primaries: "bt709",
        transfer: "bt709"
    )

    package init(matrix: String, isFullRange: Bool, primaries: String, transfer: String) {
        self.matrix = matrix
        self.isFullRange = isFullRange
        self.primaries = primaries
        self.transfer = transfer
    }

    /// The colour in messages: the matrix, and what else is not as in BT.709 of limited range, such as
    /// `smpte170m` or `bt2020nc, smpte2084, full range`.
    package var words: String {
        var words = [matrix]
        if primaries != ColorDescription.bt709.primaries { words.append("primaries \(primaries)") }
        if transfer != ColorDescription.bt709.transfer { words.append(transfer) }
        if isFullRange { words.append("full range") }
        return words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", ")
    }
}
