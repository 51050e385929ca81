import CLibAV
import CompositionModel

/// A stream of a source that may be copied, by the name that users write.
struct ExportStream {
    enum Kind: String {
        case picture = "video"
        case sound = "audio"
        case subtitles
        case data
        case cover
        case attachment
    }

    let index: Int
    let kind: Kind
    /// Such as `audio/1`; pictures and sounds are numbered as `probe` lists them.
    let name: String
    let stream: UnsafeMutablePointer<AVStream>
    let parameters: UnsafeMutablePointer<AVCodecParameters>

    /// The stream with its codec and language, such as `subtitles/0 (subrip, eng)`.
    var words: String {
        let language = StreamFacts(stream)?.language
        return "\(name) (\([codec, language].compactMap(\.self).joined(separator: ", ")))"
    }

    var codec: String {
        guard parameters.pointee.codec_type != AVMEDIA_TYPE_ATTACHMENT else {
            return Tags(stream.pointee.metadata)["filename"] ?? "attachment"
        }
        return String(cString: avcodec_get_name(parameters.pointee.codec_id))
    }

    /// The streams in the file's order. Tracks that only serve another one are none: chapters, timecode and the
    /// thumbnails of a timeline.
    static func list(_ demuxer: Demuxer, _ facts: AssetFacts) -> [ExportStream] {
        var counts: [Kind: Int] = [:]
        return (0..<demuxer.streamCount).compactMap { index in
            guard let stream = demuxer.stream(index), let parameters = stream.pointee.codecpar,
                let kind = kind(stream, parameters, demuxer, facts)
            else { return nil }
            let known = kind == .picture ? facts.video.map(\.streamIndex) : facts.audio.map(\.streamIndex)
            let number =
                kind == .picture || kind == .sound ? known.firstIndex(of: index) ?? 0 : counts[kind, default: 0]
            counts[kind, default: 0] += 1
            return ExportStream(
                index: index,
                kind: kind,
                name: "\(kind.rawValue)/\(number)",
                stream: stream,
                parameters: parameters
            )
        }
    }

    private static func kind(
        _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>,
        _ demuxer: Demuxer,
        _ facts: AssetFacts
    ) -> Kind? {
        let index = Int(stream.pointee.index)
        let disposition = stream.pointee.disposition
        switch parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            if disposition & AV_DISPOSITION_TIMED_THUMBNAILS != 0 { return nil }
            if disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { return .cover }
            return facts.video.contains { $0.streamIndex == index } ? .picture : .data
        case AVMEDIA_TYPE_AUDIO: return facts.audio.contains { $0.streamIndex == index } ? .sound : .data
        case AVMEDIA_TYPE_SUBTITLE: return .subtitles
        case AVMEDIA_TYPE_ATTACHMENT: return .attachment
        case AVMEDIA_TYPE_DATA:
            guard demuxer.isMOV else { return .data }
            let tag = parameters.pointee.codec_tag
            let isChapterTrack = tag == cut_tag("text") && demuxer.raw.pointee.nb_chapters > 0
            return tag == cut_tag("tmcd") || isChapterTrack ? nil : .data
        default: return nil
        }
    }
}

/// A dictionary of libav as pairs in order.
struct Tags {
    private(set) var pairs: [(key: String, value: String)] = []

    init(_ dictionary: OpaquePointer?) {
        var entry = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX)
        while let found = entry {
            pairs.append((String(cString: found.pointee.key), String(cString: found.pointee.value)))
            entry = av_dict_get(dictionary, "", found, AV_DICT_IGNORE_SUFFIX)
        }
    }

    /// The value of a key, whatever the case of its letters.
    subscript(key: String) -> String? {
        get { pairs.first { $0.key.lowercased() == key.lowercased() }?.value }
        set {
            guard let place = pairs.firstIndex(where: { $0.key.lowercased() == key.lowercased() }) else {
                if let newValue { pairs.append((key, newValue)) }
                return
            }
            if let newValue { pairs[place].value = newValue } else { pairs.remove(at: place) }
        }
    }

    mutating func removeAll(where isRemoved: (String) -> Bool) { pairs.removeAll { isRemoved($0.key) } }

    func write(to dictionary: inout OpaquePointer?) {
        for (key, value) in pairs { av_dict_set(&dictionary, key, value, 0) }
    }
}
