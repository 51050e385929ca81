package import Timing

/// One file to which an edit is rendered. Everything is resolved: the planner adds nothing.
package struct OutputSettings: Sendable, Hashable, Codable {
    /// The preset's name as the user wrote it, such as `h264-720p`.
    package var preset: String
    /// The path of the file, relative to the directory where the command runs; nil when the command line names it.
    package var file: String?
    /// The frames of the timeline that are rendered; nil means all.
    package var range: FrameRange?
    /// The samples of a timeline without picture that are rendered; nil means those of ``range``.
    package var soundRange: SampleRange?
    /// The size of the picture as it is shown; coded, it may be turned or stretched (``VideoEncoding/raster``).
    package var size: PictureSize
    package var container: Container
    /// The encoding of the picture; nil for sound alone.
    package var video: VideoEncoding?
    /// The encoding of the sound; nil for a file without sound.
    package var audio: AudioEncoding?
    /// The source that the output follows; nil unless the preset is `match`.
    package var match: MatchedSource?

    package init(
        preset: String,
        file: String?,
        range: FrameRange?,
        soundRange: SampleRange? = nil,
        size: PictureSize,
        container: Container,
        video: VideoEncoding?,
        audio: AudioEncoding?,
        match: MatchedSource? = nil
    ) {
        self.match = match
        self.preset = preset
        self.file = file
        self.range = range
        self.soundRange = soundRange
        self.size = size
        self.container = container
        self.video = video
        self.audio = audio
    }
}

extension OutputSettings {
    /// The extension that files of this kind usually have; sound alone has another one than a movie.
    package var fileExtension: String {
        container.fileExtension(hasPicture: video != nil)
    }
}

/// The containers, by the names of libavformat's muxers. All but `mp4`, `mov` and `matroska` hold sound alone.
package enum Container: String, Sendable, Hashable, Codable, CaseIterable {
    case mp4, mov, matroska
    case wav, flac, ogg, mp3

    /// The usual extension of a file with a picture, without a dot.
    package var fileExtension: String { fileExtension(hasPicture: true) }

    /// The usual extension of a file, without a dot.
    package func fileExtension(hasPicture: Bool) -> String {
        switch self {
        case .mp4: hasPicture ? "mp4" : "m4a"
        case .mov: "mov"
        case .matroska: hasPicture ? "mkv" : "mka"
        case .ogg: "opus"
        case .wav, .flac, .mp3: rawValue
        }
    }

    /// Whether the file has the tables of ISO base media files: an index, edit lists and decode times.
    package var isISOMedia: Bool { self == .mp4 || self == .mov }

    /// Whether the container cannot hold a picture.
    package var isSoundAlone: Bool { [.wav, .flac, .ogg, .mp3].contains(self) }

    /// Whether the container may hold sound of `codec`.
    package func holds(_ codec: AudioEncoding.Codec) -> Bool {
        switch self {
        case .mp4: [.aac, .alac, .opus, .ac3, .mp3].contains(codec)
        case .mov: [.aac, .alac, .pcm16, .pcm24, .pcm32].contains(codec)
        // Matroska declares the priming of Opus only; that of other codecs would be heard.
        case .matroska: codec.isLossless || codec == .opus
        case .wav: [.pcm16, .pcm24, .pcm32, .pcmFloat].contains(codec)
        case .flac: codec == .flac
        case .ogg: codec == .opus
        case .mp3: codec == .mp3
        }
    }
}

/// The encoding of pictures: everything that can change a byte of the result, apart from library versions.
package struct VideoEncoding: Sendable, Hashable, Codable {
    package enum Codec: String, Sendable, Hashable, Codable {
        /// `hevc` is of the profile Main where its pictures are encoded.
        case h264, hevc, ffv1
        /// Codecs whose pictures are copied and not encoded.
        case prores, dnxhd, mjpeg
    }

    package var codec: Codec
    /// The name of the preset of x264 or x265; nil for ffv1, and for pictures that are only copied.
    package var speed: String?
    /// The constant rate factor in thousandths (20000 is CRF 20); nil for ffv1, and for pictures that are only copied.
    package var crfThousandths: Int?
    /// Whether all P pictures have the rate factor as the quantiser of each of their macroblocks, whatever they show;
    /// nil is false.
    package var isSteady: Bool?
    /// The longest distance between keyframes, in frames.
    package var keyframeInterval: Int
    /// The frames that are composited and encoded past a segment's end, so that the encoder's lookahead does not run
    /// out.
    package var postRoll: Int
    /// Whether pictures that show a source untouched are copied from it where they fit beside encoded ones
    /// (docs/copying.md); nil is false.
    package var copies: Bool?
    /// The profile of H.264 of encoded pictures, and the highest one of copied pictures; nil is High.
    package var profile: H264Profile?
    /// How coded pictures lie; nil where they are coded as they are shown.
    package var raster: CodedRaster?
    /// The form of the pictures where all are copied (``isCopyOnly``); nil elsewhere.
    package var form: CodedForm?
    /// The colour of the pictures where all are copied; nil means the edit's.
    package var color: ColorDescription?

    package init(codec: Codec, speed: String?, crfThousandths: Int?, keyframeInterval: Int, postRoll: Int) {
        self.codec = codec
        self.speed = speed
        self.crfThousandths = crfThousandths
        self.keyframeInterval = keyframeInterval
        self.postRoll = postRoll
    }
}

/// The encoding of sound.
package struct AudioEncoding: Sendable, Hashable, Codable {
    package enum Codec: String, Sendable, Hashable, Codable, CaseIterable {
        case aac, opus, mp3, ac3
        /// Lossless codecs of 24-bit integers.
        case flac, alac
        /// Uncompressed integers and 32-bit floats, little-endian.
        case pcm16, pcm24, pcm32, pcmFloat
    }

    /// The noise that is added before samples are rounded to integers, so that the rounding error does not depend on
    /// the sound.
    package enum Dither: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sum of two uniform distributions of one step each: it lies between −1 and 1 step, most likely near 0.
        case triangular
    }

    package var codec: Codec
    /// The bit rate in bits per second; nil for a lossless codec.
    package var bitRate: Int?
    /// The dither of a codec of integers (``Codec/bits``); nil rounds without dither.
    package var dither: Dither?

    package init(codec: Codec, bitRate: Int?, dither: Dither? = nil) {
        self.codec = codec
        self.bitRate = bitRate
        self.dither = dither
    }
}
