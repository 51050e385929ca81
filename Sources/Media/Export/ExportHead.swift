import CLibAV
import CompositionModel
import Timing
import WireProtocol

/// Writes what stands before the packets: tags, chapters, attachments and the writer's options.
struct ExportHead {
    private let request: ExportRequest
    private let selection: ExportSelection
    private let inspections: [ExportInspection]
    private let parts: [ExportPart]
    private let demuxer: Demuxer
    private let tags: Tags
    /// Pictures by which the first file is cut at its beginning, and their rate.
    private let moved: (count: Int64, rate: FrameRate)?

    init(
        _ request: ExportRequest,
        _ selection: ExportSelection,
        _ inspections: [ExportInspection],
        _ parts: [ExportPart],
        _ demuxer: Demuxer
    ) {
        self.request = request
        self.selection = selection
        self.inspections = inspections
        self.parts = parts
        self.demuxer = demuxer
        let facts = parts[0].source.facts
        let lead = facts.video.first { $0.streamIndex == parts[0].lead }
        moved = lead.flatMap { lead in
            parts[0].pictures[lead.streamIndex].map { ($0.cut.frames.lowerBound, lead.frameRate) }
        }
        tags = ExportTags.kept(demuxer.raw.pointee.metadata, from: moved)
    }

    /// Gives the output its tags and attachments.
    func write(to context: ExportContext, _ lanes: [String: ExportLane]) throws {
        tags.write(to: &context.raw.pointee.metadata)
        for stream in selection.streams {
            let own = ExportTags.kept(stream.stream.pointee.metadata, from: moved)
            if let lane = lanes[stream.name] {
                own.write(to: &lane.output.pointee.metadata)
                if isTrimmed { Self.forgetTotals(lane.output) }
            } else if stream.kind == .cover {
                try attach(stream, own, context)
            }
        }
    }

    /// Whether the sound is another than that of the one source.
    private var isTrimmed: Bool { request.range != nil || parts.count > 1 }

    /// The writer's options.
    func options(movieTicks: Int64) -> [String: String] {
        var options = ["avoid_negative_ts": "disabled"]
        switch request.format {
        case .mp4, .m4a, .mov:
            let hasCover = selection.streams.contains { $0.kind == .cover }
            let needsKeys = !hasCover && !ExportTags.unknown(tags).isEmpty
            options["movflags"] = needsKeys ? "+faststart+use_metadata_tags" : "+faststart"
            options["movie_timescale"] = "\(movieTicks)"
        case .matroska: options["default_mode"] = "passthrough"
        case .webm: break
        case .mpegts:
            let isDisc = request.output.hasSuffix(".m2ts") || request.output.hasSuffix(".mts")
            options["mpegts_m2ts_mode"] = isDisc ? "1" : "0"
        }
        return options
    }

    /// Gives the output the chapters of all parts, cut and moved with them.
    func writeChapters(to context: ExportContext, shift: RationalTime) throws {
        guard selection.keepsChapters else { return }
        let unit = AVRational(num: 1, den: 1_000_000)
        var number: Int64 = 0
        for part in parts {
            guard let inspection = inspection(of: part) else { continue }
            for chapter in inspection.chapters {
                let start = max(try chapter.start.subtracting(part.zero), part.start)
                let end = min(try chapter.end.subtracting(part.zero), part.end)
                guard start < end else { continue }
                number += 1
                let ticks = { (time: RationalTime) throws in
                    try part.output(time).adding(shift).count(of: RationalTime(1, 1_000_000)).value
                }
                guard let made = cut_add_chapter(context.raw, number, unit, try ticks(start), try ticks(end)) else {
                    throw MediaError.writing("No memory for a chapter.")
                }
                chapter.tags.write(to: &made.pointee.metadata)
            }
        }
    }

    private func inspection(of part: ExportPart) -> ExportInspection? {
        request.names.firstIndex(of: part.source.name).flatMap {
            inspections.indices.contains($0) ? inspections[$0] : nil
        }
    }

    /// Makes artwork an attachment, as Matroska has it (RFC 9559, 21: `cover.jpg`).
    private func attach(_ stream: ExportStream, _ tags: Tags, _ context: ExportContext) throws {
        let picture = stream.stream.pointee.attached_pic
        guard let made = avformat_new_stream(context.raw, nil), let parameters = made.pointee.codecpar,
            let memory = av_mallocz(Int(picture.size) + Int(AV_INPUT_BUFFER_PADDING_SIZE)), let bytes = picture.data
        else { throw MediaError.writing("No memory for a cover.") }
        memory.copyMemory(from: bytes, byteCount: Int(picture.size))
        parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
        parameters.pointee.codec_id = stream.parameters.pointee.codec_id
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = picture.size
        let isPNG = stream.parameters.pointee.codec_id == AV_CODEC_ID_PNG
        var tags = tags
        if tags["filename"] == nil { tags["filename"] = isPNG ? "cover.png" : "cover.jpg" }
        if tags["mimetype"] == nil { tags["mimetype"] = isPNG ? "image/png" : "image/jpeg" }
        tags.write(to: &made.pointee.metadata)
    }

    /// Blanks the number of samples and the MD5 in a FLAC stream's header, which are those of the whole source (0 is “not
    /// known”, RFC 9639, 8.2).
    private static func forgetTotals(_ output: UnsafeMutablePointer<AVStream>) {
        guard let parameters = output.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_FLAC,
            parameters.pointee.extradata_size >= 34, let bytes = parameters.pointee.extradata
        else { return }
        bytes[13] &= 0xF0
        for index in Array(4..<10) + Array(14..<34) { bytes[index] = 0 }
    }

    /// Says in Opus' header, and to Matroska's CodecDelay, how many samples are hidden at the start.
    static func setPreSkip(_ output: UnsafeMutablePointer<AVStream>, samples: Int64) throws(MediaError) {
        guard let parameters = output.pointee.codecpar, parameters.pointee.extradata_size >= 19,
            let bytes = parameters.pointee.extradata, (0...65_535).contains(samples)
        else { throw .writing("The pre-skip of an Opus stream cannot be \(samples) samples.") }
        (bytes[10], bytes[11]) = (UInt8(samples & 255), UInt8(samples >> 8))
        parameters.pointee.initial_padding = Int32(samples)
    }
}
