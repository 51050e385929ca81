/// Files that people have instead of an edit: projects of other programs, lists of cuts, the media itself. None is
/// imported; they are known by their first bytes so that the finding can call them by name.
enum ForeignFormat {
    /// - Returns: what the file is, as in "this is …"; nil when it may be an edit, or is nothing that is known.
    static func name(of bytes: some Collection<UInt8>) -> String? {
        let head = Array(bytes.prefix(4096))
        return binary(head) ?? text(head)
    }

    /// How a document of OpenTimelineIO says what it is.
    static let timelineKey = "OTIO_SCHEMA"
    static let timelineName = "an OpenTimelineIO file"

    static func message(_ name: String) -> String {
        "this is \(name), no edit, and cutfarm does not import it; an edit is JSON with \"schema\": "
            + "\"\(Edit.schemaName)\" (docs/edit-format.md)"
    }

    private static func binary(_ head: [UInt8]) -> String? {
        if head.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "a movie (MP4 or QuickTime)" }
        return signatures.first { head.starts(with: $0.bytes) }?.name
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        ([0x1A, 0x45, 0xDF, 0xA3], "a movie (Matroska or WebM)"),
        (Array("RIFF".utf8), "a media file (WAV or AVI)"),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive, as .otioz files are"),
        ([0x1F, 0x8B], "a gzip file, as Premiere Pro's projects are"),
        ([0xD0, 0xCF, 0x11, 0xE0], "an AAF file"),
    ]

    private static func text(_ head: [UInt8]) -> String? {
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if text.hasPrefix("<") {
            return roots.first { text.contains("<" + $0.tag) }?.name ?? "XML"
        }
        if let known = openings.first(where: { text.hasPrefix($0.words) }) { return known.name }
        // An event without a title before it: "001  AX  V  C  01:00:00:00 …".
        return text.prefixMatch(of: /[0-9]{3,6}[ \t]+\S+[ \t]+[A-Z0-9\/]+[ \t]+[A-Z]/) == nil ? nil : edl
    }

    private static let roots = [
        (tag: "fcpxml", name: "FCPXML (Final Cut Pro)"), (tag: "xmeml", name: "Final Cut Pro 7 XML"),
        (tag: "mlt", name: "MLT XML (melt, Kdenlive, Shotcut)"),
    ]

    private static let edl = "an EDL (CMX 3600)"

    private static let openings = [
        (words: "TITLE:", name: edl), (words: "FCM:", name: edl), (words: "# mpv EDL", name: "an EDL of mpv"),
        (words: "ffconcat version", name: "a list for ffmpeg's concat demuxer"),
        (words: "file '", name: "a list for ffmpeg's concat demuxer"),
    ]
}
