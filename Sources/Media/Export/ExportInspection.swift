import CLibAV
import CompositionModel
import Timing

/// What the head of a file says, beside its facts: its streams as they have to match for joining, chapters and tags.
struct ExportInspection {
    struct Chapter {
        /// Seconds by the file's own clock.
        var start: RationalTime
        var end: RationalTime
        var tags: Tags
    }

    struct Shape {
        var name: String
        /// Properties that the streams of joined files share, by what a message calls them.
        var properties: [(what: String, value: String)]
        /// Nil for codecs other than H.264 and HEVC.
        var sets: ParameterSetDifference?
    }

    var chapters: [Chapter] = []
    var shapes: [Shape] = []
    var tags: Tags

    /// - Parameter names: the streams that are copied.
    init(_ demuxer: Demuxer, _ source: ExportSource, names: Set<String>) throws(MediaError) {
        tags = Tags(demuxer.raw.pointee.metadata)
        for number in 0..<Int(demuxer.raw.pointee.nb_chapters) {
            guard let chapter = demuxer.raw.pointee.chapters[number],
                let unit = try? RationalTime(ratio: chapter.pointee.time_base),
                let start = try? RationalTime(chapter.pointee.start, of: unit),
                let end = try? RationalTime(chapter.pointee.end, of: unit)
            else { continue }
            chapters.append(Chapter(start: start, end: end, tags: Tags(chapter.pointee.metadata)))
        }
        for stream in ExportStream.list(demuxer, source.facts) where names.contains(stream.name) {
            guard stream.kind != .attachment, stream.kind != .cover else { continue }
            let parameters = stream.parameters.pointee
            let header = UnsafeRawBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
            let sets = ParameterSetDifference(parameters.codec_id, header: Array(header))
            shapes.append(Shape(name: stream.name, properties: Self.properties(stream, source), sets: sets))
        }
    }

    /// Why the streams of `other` cannot follow these; nil where they can.
    func difference(from other: ExportInspection, names: (first: String, other: String)) -> String? {
        let own = shapes.map(\.name)
        let others = other.shapes.map(\.name)
        if let missing = own.first(where: { !others.contains($0) }) {
            return "\(names.other) has no \(missing), which \(names.first) has"
        }
        if let extra = others.first(where: { !own.contains($0) }) {
            return "\(names.other) has \(extra), which \(names.first) does not have"
        }
        for shape in shapes {
            guard let match = other.shapes.first(where: { $0.name == shape.name }) else { continue }
            for (one, two) in zip(shape.properties, match.properties) where one.value != two.value {
                if one.what == Self.headerName, let own = shape.sets, let others = match.sets,
                    let words = own.words(of: others, from: names.first)
                {
                    return "\(shape.name) of \(names.other) has \(words)"
                }
                let isReadable = one.value.count < 40 && two.value.count < 40
                let values = isReadable ? ": \(two.value), and \(one.value) in \(names.first)" : ""
                return "\(shape.name) of \(names.other) has another \(one.what)\(values)"
            }
        }
        return nil
    }

    private static func properties(_ stream: ExportStream, _ source: ExportSource) -> [(what: String, value: String)] {
        let parameters = stream.parameters.pointee
        var list = [("codec", stream.codec)]
        switch stream.kind {
        case .picture:
            let facts = source.facts.video.first { $0.streamIndex == stream.index }
            list.append(("size", "\(parameters.width)x\(parameters.height)"))
            list.append(("pixel format", facts?.pixelFormat ?? ""))
            list.append(("pixel aspect", facts.map { "\($0.pixelAspect)" } ?? ""))
            list.append(("frame rate", facts.map { $0.isVariableRate ? "variable" : "\($0.frameRate)" } ?? ""))
            list.append(
                (
                    "rotation",
                    facts.map { "\($0.orientation.degrees)°\($0.orientation.isMirrored ? ", mirrored" : "")" } ?? ""
                )
            )
            let color = facts?.color
            list.append(("colour", color.map { "\($0.matrix) \($0.primaries) \($0.transfer) \($0.isFullRange)" } ?? ""))
        case .sound:
            list.append(("sample rate", "\(parameters.sample_rate) Hz"))
            let facts = source.facts.audio.first { $0.streamIndex == stream.index }
            list.append(("channel layout", facts?.channelLayout ?? ""))
        case .subtitles, .data, .cover, .attachment: break
        }
        list.append((headerName, header(stream)))
        return list
    }

    private static let headerName = "codec configuration (its parameter sets)"

    /// The global header in hex, without what counts the bytes or samples of one file.
    private static func header(_ stream: ExportStream) -> String {
        let size = Int(stream.parameters.pointee.extradata_size)
        var bytes = Array(UnsafeRawBufferPointer(start: stream.parameters.pointee.extradata, count: size))
        func blank(_ range: Range<Int>) { for index in range where index < bytes.count { bytes[index] = 0 } }
        switch stream.parameters.pointee.codec_id {
        case AV_CODEC_ID_FLAC:
            // Sizes of blocks and frames, the number of samples and the MD5 (RFC 9639, 8.2).
            blank(0..<10)
            if bytes.count > 13 { bytes[13] &= 0xF0 }
            blank(14..<34)
        case AV_CODEC_ID_ALAC: blank(24..<32)
        case AV_CODEC_ID_OPUS: blank(10..<12)
        default: break
        }
        return bytes.map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
