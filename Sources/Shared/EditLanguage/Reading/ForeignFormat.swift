/// A file that people have instead of an edit: the project of another program, a list of cuts, the media itself. None is
/// imported; it is known by its first bytes so that the finding can call it by name and say how to begin an edit.
struct ForeignFormat: Sendable {
    /// The kinds of media, which an edit can show or play.
    enum Media {
        case movie, sound, picture
    }

    /// What the file is, as in "this is …".
    let name: String
    /// The kind of media that it is; nil for a project or a list.
    var media: Media?

    /// - Returns: nil when the file may be an edit, or is nothing that is known.
    static func of(_ bytes: some Collection<UInt8>) -> ForeignFormat? {
        let head = Array(bytes.prefix(4096))
        return binary(head) ?? text(head).map { ForeignFormat(name: $0) }
    }

    /// How a document of OpenTimelineIO says what it is.
    static let timelineKey = "OTIO_SCHEMA"
    static let timeline = ForeignFormat(name: "an OpenTimelineIO file")

    var message: String {
        let play = "save what follows beside it, as an edit that plays it"
        let advice = media == nil ? "begin with the media that it names" : play
        return "this is \(name), no edit, and cutfarm does not import it; an edit is JSON with \"schema\": "
            + "\"\(Edit.schemaName)\" (docs/edit-format.md): \(advice)"
    }

    /// The text of an edit of one clip, to begin with.
    /// - Parameter file: the file's name; nil when it is not known.
    func firstEdit(_ file: String?) -> String {
        let clip = JSONText.quoted(media.flatMap { _ in file } ?? "clip.mov")
        let segment =
            switch media {
            case .movie, .sound: #"{ "asset": "a" }"#
            case .picture: #"{ "asset": "a", "duration": "5s" }"#
            case nil: #"{ "asset": "a", "in": "0s", "duration": "5s" }"#
            }
        let kind = media == .sound ? "audio" : "video"
        return "{ \"schema\": \"\(Edit.schemaName)\", \"assets\": { \"a\": \(clip) }, "
            + "\"tracks\": [{ \"kind\": \"\(kind)\", \"segments\": [\(segment)] }] }"
    }

    private static func binary(_ head: [UInt8]) -> ForeignFormat? {
        if head.dropFirst(4).starts(with: Array("ftyp".utf8)) {
            let brand = String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self)
            if ["heic", "heix", "mif1", "avif"].contains(brand) {
                return ForeignFormat(name: "a picture (HEIC or AVIF)", media: .picture)
            }
            let isSound = brand.hasPrefix("M4A")
            return isSound
                ? ForeignFormat(name: "a sound file (MPEG-4)", media: .sound)
                : ForeignFormat(name: "a movie (MP4 or QuickTime)", media: .movie)
        }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WAVE".utf8)) {
            return ForeignFormat(name: "a sound file (WAV)", media: .sound)
        }
        if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            return ForeignFormat(name: "a picture (WebP)", media: .picture)
        }
        return signatures.first { head.starts(with: $0.bytes) }?.format
    }

    private static let signatures: [(bytes: [UInt8], format: ForeignFormat)] = [
        ([0x1A, 0x45, 0xDF, 0xA3], ForeignFormat(name: "a movie (Matroska or WebM)", media: .movie)),
        (Array("RIFF".utf8), ForeignFormat(name: "a movie (AVI)", media: .movie)),
        (Array("OggS".utf8), ForeignFormat(name: "a sound file (Ogg)", media: .sound)),
        (Array("ID3".utf8), ForeignFormat(name: "a sound file (MP3)", media: .sound)),
        (Array("fLaC".utf8), ForeignFormat(name: "a sound file (FLAC)", media: .sound)),
        ([0x89, 0x50, 0x4E, 0x47], ForeignFormat(name: "a picture (PNG)", media: .picture)),
        ([0xFF, 0xD8, 0xFF], ForeignFormat(name: "a picture (JPEG)", media: .picture)),
        (Array("PK\u{3}\u{4}".utf8), ForeignFormat(name: "a ZIP archive, as .otioz files are")),
        ([0x1F, 0x8B], ForeignFormat(name: "a gzip file, as Premiere Pro's projects are")),
        ([0xD0, 0xCF, 0x11, 0xE0], ForeignFormat(name: "an AAF file")),
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
