import CLibAV
import CompositionModel
import Timing

/// What a demuxer's stream says of itself, in our words.
struct StreamFacts {
    let stream: UnsafeMutablePointer<AVStream>
    let parameters: UnsafeMutablePointer<AVCodecParameters>

    init?(_ stream: UnsafeMutablePointer<AVStream>?) {
        guard let stream, let parameters = stream.pointee.codecpar else { return nil }
        self.stream = stream
        self.parameters = parameters
    }

    /// A stream of moving pictures; cover art and chapter thumbnails are none.
    var isPicture: Bool {
        parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            && stream.pointee.disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS) == 0
    }
    /// Cover art.
    var isArtwork: Bool {
        parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            && stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
    }
    var size: PictureSize {
        PictureSize(width: Int(parameters.pointee.width), height: Int(parameters.pointee.height))
    }
    var isSound: Bool { parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    var hasDecoder: Bool { avcodec_find_decoder(parameters.pointee.codec_id) != nil }
    var isDefault: Bool { stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0 }
    var codec: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }
    var profile: String? {
        avcodec_profile_name(parameters.pointee.codec_id, parameters.pointee.profile).map { String(cString: $0) }
    }
    /// Whether its codec is one of picture files. A movie may have one frame too, and stays a movie.
    var isPictureFile: Bool {
        VideoStreamFacts.pictureCodecs.contains(codec)
    }
    /// ISO 639 as the file has it; nil for “undetermined”.
    var language: String? {
        guard let entry = av_dict_get(stream.pointee.metadata, "language", nil, 0) else { return nil }
        let text = String(cString: entry.pointee.value)
        return text.isEmpty || text == "und" ? nil : text
    }
    var extradata: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
    }

    var pixelAspect: RationalTime {
        let ratio = av_guess_sample_aspect_ratio(nil, stream, nil)
        return (try? RationalTime(ratio: ratio)) ?? RationalTime(whole: 1)
    }

    /// The rates the container hints at, best first.
    var rateHints: [FrameRate] {
        let rates: [AVRational] = [stream.pointee.r_frame_rate, stream.pointee.avg_frame_rate]
        let sane = rates.filter { $0.num > 0 && $0.den > 0 && $0.num / $0.den <= 1000 }
        return sane.compactMap { try? FrameRate(Int64($0.num), Int64($0.den)) }
    }

    /// The orientation by the display matrix: its second row is (−sin, cos) of the clockwise angle, its determinant
    /// says mirrored.
    var orientation: Orientation {
        var size = 0
        guard let data = cut_stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 36 else {
            return .upright
        }
        let raw = UnsafeRawPointer(data)
        let matrix = (0..<9).map { Int64(raw.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) }
        return Orientation(matrix: matrix)
    }

    /// Whether the container says that the pictures are Dolby Vision (boxes dvcC and dvvC, and Matroska's mappings).
    var isDolbyVision: Bool {
        var size = 0
        return cut_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size) != nil
    }

    func color(format: PixelFormat, isStill: Bool) -> ColorDescription {
        ColorDescription(
            matrix: parameters.pointee.color_space,
            range: parameters.pointee.color_range,
            primaries: parameters.pointee.color_primaries,
            transfer: parameters.pointee.color_trc,
            format: format,
            height: Int(parameters.pointee.height),
            isStill: isStill
        )
    }
}

extension StreamFacts {
    /// Whether neither matrix nor primaries are tagged, so that the picture's height decides.
    func isColorGuessed(format: PixelFormat) -> Bool {
        guard !format.isRGB else { return false }
        let tags = ColorDescription.tagged(
            matrix: parameters.pointee.color_space,
            primaries: parameters.pointee.color_primaries
        )
        return tags == nil
    }

    /// Whether its pictures may be interlaced: codecs of the web, of stills and of animations have no fields.
    var mayBeInterlaced: Bool {
        let progressive = ["av1", "vp8", "vp9", "theora", "gif", "apng", "qtrle", "hap", "cfhd"]
        return !isPictureFile && !progressive.contains(codec)
    }
}

extension Orientation {
    /// - Parameter matrix: nine numbers a b u, c d v, x y w: a point (p, q) goes to (a·p + c·q, b·p + d·q).
    init(matrix: [Int64]) {
        let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
        let degrees =
            if abs(c) > abs(d) { c < 0 ? 90 : 270 } else { d < 0 ? 180 : 0 }
        self.init(degrees: degrees, isMirrored: Int128(a) * Int128(d) - Int128(b) * Int128(c) < 0)
    }
}
