extension VideoEncoding {
    /// Whether pictures of the codec are copied alone, because nothing here encodes them: each frame of the output has to
    /// be copied.
    package var isCopyOnly: Bool { codec.isCopyOnly }
}

extension VideoEncoding.Codec {
    /// See ``VideoEncoding/isCopyOnly``.
    package var isCopyOnly: Bool {
        switch self {
        case .h264, .ffv1: false
        case .hevc, .prores, .dnxhd, .mjpeg: true
        }
    }

    /// Whether every picture is coded by itself, so that a copy may begin and end at any frame.
    package var isIntra: Bool {
        switch self {
        case .h264, .hevc: false
        case .ffv1, .prores, .dnxhd, .mjpeg: true
        }
    }

    /// The name of the codec in messages.
    package var title: String {
        switch self {
        case .h264: "H.264"
        case .ffv1: "FFV1"
        case .hevc: "HEVC"
        case .prores: "ProRes"
        case .dnxhd: "DNxHD"
        case .mjpeg: "Motion JPEG"
        }
    }
}

extension Container {
    /// Whether movies of this container may have pictures of `codec`.
    package func holds(_ codec: VideoEncoding.Codec) -> Bool {
        switch codec {
        case .h264, .hevc: isISOMedia || self == .matroska
        case .ffv1: self == .matroska
        case .prores, .dnxhd, .mjpeg: self == .mov || self == .matroska
        }
    }
}
