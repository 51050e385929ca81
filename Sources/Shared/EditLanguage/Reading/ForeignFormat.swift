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
        return signatures.first { head.starts(with: $0.bytes) }?.format ?? stream(head)
    }

    /// Media without a header of its own, by how its frames or packets begin.
    private static func stream(_ head: [UInt8]) -> ForeignFormat? {
        // Packets of 188 bytes, each with the same first byte (ISO/IEC 13818-1, 2.4.3.2).
        if head.count > 376, [0, 188, 376].allSatisfy({ head[$0] == 0x47 }) {
            return ForeignFormat(name: "a movie (MPEG-TS)", media: .movie)
        }
        guard head.count >= 4, head[0] == 0xFF, head[1] >= 0xE0 else { return nil }
        // The layer 0 is that of ADTS (ISO/IEC 13818-7, 1.2). Of MPEG audio the version 1 and the bit rate 15 are reserved
        // (ISO/IEC 11172-3, 2.4.2.3); layer I is left out, because UTF-16 begins with its bits.
        if head[1] & 0xF6 == 0xF0 { return ForeignFormat(name: "a sound file (AAC)", media: .sound) }
        let isAudio = head[1] & 0x18 != 0x08 && [0x02, 0x04].contains(head[1] & 0x06) && head[2] & 0xF0 != 0xF0
        return isAudio ? ForeignFormat(name: "a sound file (MP3)", media: .sound) : nil
    }

    private static let signatures: [(bytes: [UInt8], format: ForeignFormat)] = [
        ([0x1A, 0x45, 0xDF, 0xA3], ForeignFormat(name: "a movie (Matroska or WebM)", media: .movie)),
        (Array("RIFF".utf8), ForeignFormat(name: "a movie (AVI)", media: .movie)),
        (Array("OggS".utf8), ForeignFormat(name: "a sound file (Ogg)", media: .sound)),
        (Array("ID3".utf8), ForeignFormat(name: "a sound file (MP3)", media: .sound)),
        (Array("fLaC".utf8), ForeignFormat(name: "a sound file (FLAC)", media: .sound)),
        (Array("wvpk".utf8), ForeignFormat(name: "a sound file (WavPack)", media: .sound)),
        (Array("FORM".utf8), ForeignFormat(name: "a sound file (AIFF)", media: .sound)),
        (Array("caff".utf8), ForeignFormat(name: "a sound file (CAF)", media: .sound)),
        (Array("RF64".utf8), ForeignFormat(name: "a sound file (WAV)", media: .sound)),
        (Array("riff".utf8), ForeignFormat(name: "a sound file (Wave64)", media: .sound)),
        (Array(".snd".utf8), ForeignFormat(name: "a sound file (AU)", media: .sound)),
        (Array("MAC ".utf8), ForeignFormat(name: "a sound file (Monkey's Audio)", media: .sound)),
        (Array("TTA1".utf8), ForeignFormat(name: "a sound file (TTA)", media: .sound)),
        (Array("#!AMR".utf8), ForeignFormat(name: "a sound file (AMR)", media: .sound)),
        ([0x0B, 0x77], ForeignFormat(name: "a sound file (AC-3)", media: .sound)),
        ([0x06, 0x0E, 0x2B, 0x34], ForeignFormat(name: "a movie (MXF)", media: .movie)),
        ([0x30, 0x26, 0xB2, 0x75], ForeignFormat(name: "a movie (Windows Media)", media: .movie)),
        (Array("FLV\u{1}".utf8), ForeignFormat(name: "a movie (Flash)", media: .movie)),
        ([0x00, 0x00, 0x01, 0xBA], ForeignFormat(name: "a movie (MPEG-PS)", media: .movie)),
        ([0x00, 0x00, 0x01, 0xB3], ForeignFormat(name: "a movie (MPEG video)", media: .movie)),
        ([0x00, 0x00, 0x00, 0x01], ForeignFormat(name: "a movie (H.264 or HEVC without a container)", media: .movie)),
        (Array("DKIF".utf8), ForeignFormat(name: "a movie (IVF)", media: .movie)),
        (Array("nut/multimedia container".utf8), ForeignFormat(name: "a movie (NUT)", media: .movie)),
        (Array("YUV4MPEG2".utf8), ForeignFormat(name: "a movie (Y4M)", media: .movie)),
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
        // An event without a title before it: "001  AX  V  C  01:00:00:00 …". Making the expression takes longer than reading
        // a short edit.
        guard text.first?.isNumber == true else { return nil }
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
