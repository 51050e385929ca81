public import Timing

/// One file that an edit is rendered to. Everything is resolved: the planner adds nothing.
public struct OutputSettings: Sendable, Hashable, Codable {
    /// The preset's name as the user wrote it, such as `h264-720p`.
    public var preset: String
    /// Where the user wants it, relative to where the command runs; nil when the command line names it.
    public var file: String?
    /// Frames of the timeline that are rendered; the whole when nil.
    public var range: FrameRange?
    /// Size of the coded picture.
    public var size: PictureSize
    public var container: Container
    public var video: VideoEncoding?
    public var audio: AudioEncoding?

    public init(
        preset: String,
        file: String?,
        range: FrameRange?,
        size: PictureSize,
        container: Container,
        video: VideoEncoding?,
        audio: AudioEncoding?
    ) {
        self.preset = preset
        self.file = file
        self.range = range
        self.size = size
        self.container = container
        self.video = video
        self.audio = audio
    }
}

extension OutputSettings {
    /// As files of this kind are usually named: sound alone has other endings than a movie.
    public var fileExtension: String {
        container.fileExtension(hasPicture: video != nil)
    }
}

/// By the names of libavformat's writers. All but the first two hold sound alone.
public enum Container: String, Sendable, Hashable, Codable, CaseIterable {
    case mp4, matroska
    case wav, flac, ogg, mp3

    public var fileExtension: String { fileExtension(hasPicture: true) }

    public func fileExtension(hasPicture: Bool) -> String {
        switch self {
        case .mp4: hasPicture ? "mp4" : "m4a"
        case .matroska: hasPicture ? "mkv" : "mka"
        case .ogg: "opus"
        case .wav, .flac, .mp3: rawValue
        }
    }

    /// Whether no picture can be in it.
    public var isSoundAlone: Bool { [.wav, .flac, .ogg, .mp3].contains(self) }

    /// What of sound may be in it.
    public func holds(_ codec: AudioEncoding.Codec) -> Bool {
        switch self {
        case .mp4: [.aac, .alac, .opus, .ac3, .mp3].contains(codec)
        // It has a place for Opus's priming alone: that of others would be heard.
        case .matroska: codec.isLossless || codec == .opus
        case .wav: [.pcm16, .pcm24, .pcm32, .pcmFloat].contains(codec)
        case .flac: codec == .flac
        case .ogg: codec == .opus
        case .mp3: codec == .mp3
        }
    }
}

/// How pictures are encoded. All that can change a byte of the result, apart from library versions.
public struct VideoEncoding: Sendable, Hashable, Codable {
    public enum Codec: String, Sendable, Hashable, Codable {
        case h264, ffv1
    }

    public var codec: Codec
    /// x264's preset name; nil for ffv1.
    public var speed: String?
    /// Constant rate factor in thousandths (20000 is CRF 20); nil for ffv1.
    public var crfThousandths: Int?
    /// Longest distance of keyframes in frames.
    public var keyframeInterval: Int
    /// Frames composited and fed past a segment's end, so that the encoder's lookahead does not starve.
    public var postRoll: Int

    public init(codec: Codec, speed: String?, crfThousandths: Int?, keyframeInterval: Int, postRoll: Int) {
        self.codec = codec
        self.speed = speed
        self.crfThousandths = crfThousandths
        self.keyframeInterval = keyframeInterval
        self.postRoll = postRoll
    }
}

public struct AudioEncoding: Sendable, Hashable, Codable {
    public enum Codec: String, Sendable, Hashable, Codable, CaseIterable {
        case aac, opus, mp3, ac3
        /// Without loss, of 24-bit integers.
        case flac, alac
        /// Integers and 32-bit floats, little endian.
        case pcm16, pcm24, pcm32, pcmFloat
    }

    /// Noise that is added before sound is rounded to integers, so that what rounding adds has nothing to do with the
    /// sound.
    public enum Dither: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sum of two even ones of a step: from −1 to 1 step, its middle the likeliest.
        case triangular
    }

    public var codec: Codec
    /// Bits per second; nil for what loses nothing.
    public var bitRate: Int?
    /// Of integers (``Codec/bits``) alone; nil rounds as it is.
    public var dither: Dither?

    public init(codec: Codec, bitRate: Int?, dither: Dither? = nil) {
        self.codec = codec
        self.bitRate = bitRate
        self.dither = dither
    }
}
