extension VideoStreamFacts {
    /// The ``VideoStreamFacts/codec`` of the picture of a nested edit, which is composited and never decoded.
    package static let nestedEditCodec = "edit"

    /// Whether the pixel format of the first picture has, or may have, alpha, by libavutil's names of such formats.
    package var beginsWithAlpha: Bool {
        ["yuva", "rgba", "argb", "bgra", "abgr", "gbrap", "ayuv", "vuya", "ya8", "ya16", "pal8"]
            .contains { pixelFormat.hasPrefix($0) }
    }

    /// Whether it is certain that no picture has alpha. PNG sequences, WebP, ProRes and others state with each picture
    /// whether it has alpha, and the facts know only the first picture. A stream for which this is true is drawn
    /// opaque, even if a damaged file gives a picture alpha.
    package var isSurelyOpaque: Bool {
        if beginsWithAlpha { return false }
        return frameCount + (hiddenFrameCount ?? 0) <= 1 || VideoStreamFacts.steadyCodecs.contains(codec)
    }

    /// The codecs, by libavcodec's names, that have no alpha or state it once for the whole stream (VP8 and VP9: in the
    /// container).
    private static let steadyCodecs: Set<String> = [
        "h264", "hevc", "av1", "vp8", "vp9", "mpeg1video", "mpeg2video", "mpeg4", "mjpeg", "mjpegb", "h261", "h263",
        "h263i", "h263p", "flv1", "msmpeg4v1", "msmpeg4v2", "msmpeg4v3", "wmv1", "wmv2", "wmv3", "vc1", "theora", "vp3",
        "vp6", "vp6f", "vp7", "svq1", "svq3", "cinepak", "rv10", "rv20", "rv30", "rv40", "indeo3", "indeo4", "indeo5",
        "dvvideo", "dnxhd", "v210", "rawvideo", "ffv1", "huffyuv", "ffvhuff", "utvideo", "qtrle", "cavs",
        GeneratedPicture.codec, nestedEditCodec,
    ]
}
