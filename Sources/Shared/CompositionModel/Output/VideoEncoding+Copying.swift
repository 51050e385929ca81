import Timing

extension VideoEncoding {
    /// Whether pictures are copied alone, because nothing here encodes them: each frame of the output has to be copied.
    package var isCopyOnly: Bool {
        switch codec {
        case .ffv1: false
        case .h264, .hevc: form != nil
        case .prores, .dnxhd, .mjpeg: true
        }
    }
}

extension VideoStreamFacts {
    /// Whether its pictures are copied alone, because nothing here encodes pictures that could stand beside them.
    package var isCopyOnly: Bool { hasCopiedCoding || isCopiedForColor }

    /// Whether its pictures are copied alone for their colour, in which nothing is drawn here, although they are coded as
    /// others are that are encoded.
    package var isCopiedForColor: Bool {
        guard color != .bt709, !hasCopiedCoding, let form = mostUsedForm else { return false }
        return codec == VideoEncoding.Codec.hevc.rawValue
            || codec == VideoEncoding.Codec.h264.rawValue && form.copiedProfile != nil
    }

    /// Whether its pictures are coded as nothing here encodes them: in their codec, profile, chroma format or depth.
    private var hasCopiedCoding: Bool {
        switch VideoEncoding.Codec(rawValue: codec) {
        case nil, .ffv1: false
        case .h264: mostUsedForm?.isWholeH264 == true
        case .hevc: mostUsedForm?.isMainHEVC != true
        case .prores, .dnxhd, .mjpeg: true
        }
    }

    /// The form of most of its frames that can be copied; among equals the first.
    package var mostUsedForm: CodedForm? {
        guard let copy else { return nil }
        var counts = [Int64](repeating: 0, count: copy.forms.count)
        for stretch in copy.stretches where counts.indices.contains(stretch.form) {
            counts[stretch.form] += stretch.frames.count
        }
        let best = counts.indices.max { (counts[$0], $1) < (counts[$1], $0) }
        return best.map { copy.forms[$0] }
    }
}

extension CodedForm {
    /// Whether pictures of HEVC are such as the encoder makes: of the profile Main, 4:2:0 of 8 bits.
    package var isMainHEVC: Bool { profile == 1 && chromaFormat == 1 && bits == 8 }

    /// Whether pictures of H.264 are copied where all are: of the profiles High 10, High 4:2:2, High 4:4:4 Predictive and
    /// CAVLC 4:4:4 Intra, the intra profiles among them (ITU-T H.264, A.2.5 to A.2.11).
    package var isWholeH264: Bool { [110, 122, 244, 44].contains(profile) }
}

extension VideoEncoding.Codec {
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
