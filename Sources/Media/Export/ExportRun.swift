import CLibAV
import CompositionModel
import Timing
import WireProtocol

/// Writes one exported file.
struct ExportRun {
    private let request: ExportRequest
    private let selection: ExportSelection
    private let parts: [ExportPart]
    /// The first file, which the lanes' streams belong to.
    private let demuxer: Demuxer
    private let context: ExportContext
    /// By name of the stream.
    private var lanes: [String: ExportLane] = [:]
    private let covers: [ExportStream]
    /// Added to all times of containers that have no edit lists, so that none is negative.
    private var shift = RationalTime.zero
    private let movieTicks: Int64
    private var notes: [String]

    init(
        _ request: ExportRequest,
        _ selection: ExportSelection,
        _ inspections: [ExportInspection],
        _ parts: [ExportPart],
        _ demuxer: Demuxer
    ) throws {
        self.request = request
        self.selection = selection
        self.parts = parts
        self.demuxer = demuxer
        notes = selection.notes
        context = try ExportContext(request.format, path: request.output)
        covers = selection.streams.filter { $0.kind == .cover }
        for stream in selection.streams {
            if stream.kind == .cover, request.format == .matroska { continue }
            let output = try context.add(stream, request.format)
            lanes[stream.name] = ExportLane(stream, output, ticksPerSecond: try Self.ticks(stream, parts))
        }
        movieTicks = Self.movieTicks(lanes.values.filter { [.picture, .sound].contains($0.stream.kind) })
        let head = ExportHead(request, selection, inspections, parts, demuxer)
        let starts = try SoundStartFinder.find(try soundStarts(), parts[0].source.bytes)
        try head.write(to: context, lanes)
        try prepare(starts)
        try head.writeChapters(to: context, shift: shift)
        try context.open(head.options(movieTicks: movieTicks))
    }

    /// The ticks that hold the times of a stream exactly.
    private static func ticks(_ stream: ExportStream, _ parts: [ExportPart]) throws -> Int64 {
        switch stream.kind {
        case .picture:
            let all = parts.flatMap { part in
                part.picture(named: stream.name).map { [$0.clock.ticksPerSecond] } ?? []
            }
            var ticks = all.reduce(Int64(1)) { leastCommonMultiple($0, $1) }
            if ticks > Int64(Int32.max) { ticks = all.max() ?? 1 }
            // Pictures may begin between the places of frames, where sound begins before them.
            while ticks < 10_000 { ticks *= 2 }
            return ticks
        case .sound: return Int64(parts[0].sound(named: stream.name)?.facts.sampleRate ?? 48_000)
        case .subtitles, .data, .cover, .attachment:
            return max(1000, Int64(stream.stream.pointee.time_base.den))
        }
    }

    /// The ticks of the movie that no edit list needs to be rounded to; where they would be too many, a sound's end is.
    private static func movieTicks(_ lanes: [ExportLane]) -> Int64 {
        let ordered = lanes.sorted { $0.stream.index < $1.stream.index }
        return ordered.reduce(Int64(1)) { common, lane in
            let next = leastCommonMultiple(common, lane.ticksPerSecond)
            return next <= 500_000_000 ? next : common
        }
    }

    // MARK: Beginning

    private func soundStarts() throws -> [SoundStartFinder.Wanted] {
        try lanes.values.compactMap { lane in
            guard lane.stream.kind == .sound, let sound = parts[0].sound(named: lane.stream.name) else { return nil }
            return SoundStartFinder.Wanted(
                stream: lane.stream,
                clock: sound.clock(lane.stream),
                lengths: SoundPacketLength(lane.stream, sampleRate: sound.facts.sampleRate),
                sample: try parts[0].samples(of: sound).lowerBound,
                isPrimed: hidesPriming(lane.stream)
            )
        }
    }

    /// Whether the container hides what a decoder needs before the first sample: by an edit list, or for Opus by the
    /// pre-skip of its header (RFC 7845, 5.1).
    private func hidesPriming(_ stream: ExportStream) -> Bool {
        request.format.hasEditLists
            || [.matroska, .webm].contains(request.format)
                && stream.parameters.pointee.codec_id == AV_CODEC_ID_OPUS
    }

    /// Finds the first and last times of all lanes, and what these mean for the container.
    private mutating func prepare(_ starts: [Int: SoundStart]) throws {
        var earliest = RationalTime.zero
        let last = parts[parts.count - 1]
        for lane in lanes.values {
            switch lane.stream.kind {
            case .picture:
                guard let picture = parts[0].picture(named: lane.stream.name) else { continue }
                let begin = try parts[0].output(picture.clock.time(ofFrame: picture.cut.frames.lowerBound))
                let lastPicture = last.picture(named: lane.stream.name) ?? picture
                let end = try last.output(lastPicture.clock.time(ofFrame: lastPicture.cut.frames.upperBound))
                let (first, final) = (try lane.ticks(begin), try lane.ticks(end))
                (lane.begin, lane.presented) = (begin, first..<max(first, final))
                for part in parts {
                    guard let share = part.picture(named: lane.stream.name) else { continue }
                    lane.delay = max(lane.delay, share.times.delay * (lane.ticksPerSecond / share.clock.ticksPerSecond))
                }
                earliest = min(earliest, begin)
                let coded = try firstPTS(of: picture, in: lane)
                lane.offset = offset(of: lane, firstPTS: coded)
            case .sound:
                try prepareSound(lane, starts[lane.stream.index], &earliest)
            case .subtitles, .data, .cover, .attachment: break
            }
        }
        if !request.format.hasEditLists { shift = try RationalTime.zero.subtracting(earliest) }
    }

    private func firstPTS(of picture: ExportPart.Picture, in lane: ExportLane) throws -> Int64 {
        let base = try lane.ticks(parts[0].output(picture.clock.start))
        let scale = lane.ticksPerSecond / picture.clock.ticksPerSecond
        let first = picture.times.entries[picture.cut.packets.lowerBound]?.pts ?? 0
        return base + first * scale
    }

    private func prepareSound(_ lane: ExportLane, _ start: SoundStart?, _ earliest: inout RationalTime) throws {
        guard let sound = parts[0].sound(named: lane.stream.name) else { return }
        let offset = try soundOffset(sound, in: parts[0])
        let samples = try parts[0].samples(of: sound)
        let part = soundPart(sound, parts[0], lane.stream, offset: offset, samples: samples, start: start)
        lane.sound = SoundLane(part)
        var end = offset + samples.upperBound
        if parts.count > 1, let final = parts[parts.count - 1].sound(named: lane.stream.name) {
            let last = parts[parts.count - 1]
            end = try soundOffset(final, in: last) + last.samples(of: final).upperBound
        }
        let first = offset + samples.lowerBound
        let rate = Int64(sound.facts.sampleRate)
        (lane.begin, lane.presented) = (try RationalTime(first, rate), first..<max(first, end))
        let isCoded = part.lengths.bytesPerSample == nil
        let coded = offset + (isCoded ? start?.sample ?? samples.lowerBound : samples.lowerBound)
        lane.offset = self.offset(of: lane, firstPTS: coded)
        guard !request.format.hasEditLists else { return }
        if hidesPriming(lane.stream) {
            try ExportHead.setPreSkip(lane.output, samples: first - coded)
        } else {
            earliest = min(earliest, try RationalTime(coded, rate))
        }
    }

    /// Ticks that let the writer of MP4 make two entries of an edit list where a track is presented late, although coded
    /// samples stand before: it goes by the first pts.
    private func offset(of lane: ExportLane, firstPTS: Int64) -> Int64 {
        guard request.format.hasEditLists else { return 0 }
        // A tick of the movie is not longer than two of a track's.
        if lane.delay(movie: movieTicks) == 0 { return min(0, -firstPTS) }
        return max(0, 2 - firstPTS)
    }

    private func soundOffset(_ sound: ExportPart.Sound, in part: ExportPart) throws -> Int64 {
        try part.output(sound.facts.start).count(of: RationalTime(1, Int64(sound.facts.sampleRate))).value
    }

    private func soundPart(
        _ sound: ExportPart.Sound,
        _ part: ExportPart,
        _ stream: ExportStream,
        offset: Int64,
        samples: Range<Int64>,
        start: SoundStart?
    ) -> SoundLane.Part {
        SoundLane.Part(
            clock: sound.clock(stream),
            lengths: SoundPacketLength(stream, sampleRate: sound.facts.sampleRate),
            offset: offset,
            samples: samples,
            start: start,
            isFollowed: part.isFollowed
        )
    }

    // MARK: Packets

    mutating func write(_ progress: (Int) -> Void) throws {
        try writeCovers()
        for (number, part) in parts.enumerated() {
            let reader = number == 0 ? demuxer : try Demuxer(part.source.bytes)
            try write(part, number, reader) { done in
                progress((number * 1000 + done) / parts.count)
            }
        }
        try context.finish()
        guard request.format.hasEditLists else { return }
        // The writer leaves out tracks without packets, and artwork is no track.
        let written = selection.streams.compactMap { lanes[$0.name] }.filter { $0.firstDTS != nil }
        var lists: [Int: EditList] = [:]
        for (number, lane) in written.enumerated() { lists[number] = lane.editList(movie: movieTicks) }
        try EditList.write(lists, to: request.output)
        if request.format == .mov { try TrackLanguage.write(written.map(\.stream), to: request.output) }
    }

    private func writeCovers() throws {
        for stream in covers {
            guard let lane = lanes[stream.name] else { continue }
            let packet = try Packet()
            guard av_packet_ref(packet.raw, &stream.stream.pointee.attached_pic) >= 0 else { continue }
            packet.raw.pointee.stream_index = lane.output.pointee.index
            (packet.raw.pointee.pts, packet.raw.pointee.dts) = (0, 0)
            try context.write(packet)
        }
    }

    private func write(_ part: ExportPart, _ number: Int, _ reader: Demuxer, _ progress: (Int) -> Void) throws {
        let streams = ExportStream.list(reader, part.source.facts).filter { lanes[$0.name] != nil && $0.kind != .cover }
        let byIndex = Dictionary(streams.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
        reader.select(Set(byIndex.keys))
        if number > 0 {
            for stream in streams where stream.kind == .sound {
                guard let sound = part.sounds[stream.index], let lane = lanes[stream.name]?.sound else { continue }
                let offset = try soundOffset(sound, in: part)
                let samples = try part.samples(of: sound)
                lane.begin(soundPart(sound, part, stream, offset: offset, samples: samples, start: nil))
            }
        }
        var counts: [Int: Int] = [:]
        var open = Set(streams.filter { $0.kind == .picture || $0.kind == .sound }.map(\.index))
        let hasOthers = streams.contains { $0.kind == .subtitles || $0.kind == .data }
        let packet = try Packet()
        while try reader.next(into: packet) {
            guard let stream = byIndex[packet.streamIndex], let lane = lanes[stream.name] else { continue }
            let place = counts[stream.index, default: 0]
            counts[stream.index] = place + 1
            let position = packet.raw.pointee.pos
            if position > 0, part.source.bytes.byteCount > 0 {
                progress(Int(min(999, 1000 * position / part.source.bytes.byteCount)))
            }
            // Subtitles may stand a little behind the pictures that they belong to.
            if open.isEmpty {
                guard hasOthers else { break }
                if try isBehind(packet, stream, part) { break }
            }
            switch stream.kind {
            case .picture:
                guard let picture = part.pictures[stream.index] else { continue }
                if place >= picture.cut.packets.upperBound { open.remove(stream.index) }
                try write(packet, number: place, of: picture, part, lane)
            case .sound:
                try writeSound(packet, lane)
                if lane.sound?.isDone == true { open.remove(stream.index) }
            case .subtitles, .data: try writeEvent(packet, stream, part, lane)
            case .cover, .attachment: break
            }
        }
    }

    /// Whether a packet lies a second and more behind the part.
    private func isBehind(_ packet: Packet, _ stream: ExportStream, _ part: ExportPart) throws -> Bool {
        guard let pts = packet.pts else { return false }
        let unit = try RationalTime(ratio: stream.stream.pointee.time_base)
        let time = try RationalTime(pts, of: unit).subtracting(part.zero)
        return time > (try part.end.adding(RationalTime(whole: 1)))
    }

    private func write(
        _ packet: Packet,
        number: Int,
        of picture: ExportPart.Picture,
        _ part: ExportPart,
        _ lane: ExportLane
    ) throws {
        guard let entry = picture.times.entries[number] else { return }
        let scale = lane.ticksPerSecond / picture.clock.ticksPerSecond
        let base = try lane.ticks(part.output(picture.clock.start).adding(shift))
        if number == picture.cut.packets.lowerBound {
            packet.raw.pointee.flags |= AV_PKT_FLAG_KEY
        } else if picture.isHiddenAhead(number) {
            // Readers of the edit list begin at the last sync sample before it, and this is no entry.
            packet.raw.pointee.flags &= ~AV_PKT_FLAG_KEY
        }
        lane.stamp(
            packet,
            pts: base + entry.pts * scale,
            dts: base + entry.order * scale - lane.delay,
            duration: entry.duration * scale
        )
        try context.write(packet)
    }

    private func writeSound(_ packet: Packet, _ lane: ExportLane) throws {
        guard let sound = lane.sound, let placed = sound.place(packet) else { return }
        if let kept = placed.kept, let bytes = sound.bytesPerSample {
            cut_narrow_packet(packet.raw, Int32(Int(kept.lowerBound) * bytes), Int32(kept.count * bytes))
        }
        av_packet_free_side_data(packet.raw)
        packet.raw.pointee.flags |= AV_PKT_FLAG_KEY
        var count = placed.count
        if placed.sample + count > sound.end, sound.isLastFile {
            count = max(1, sound.end - placed.sample)
            if [.matroska, .webm].contains(request.format) {
                try packet.markHidden(start: 0, end: placed.count - count)
            }
        }
        let start = try placed.sample + lane.ticks(shift)
        lane.stamp(packet, pts: start, dts: start, duration: count)
        try context.write(packet)
    }

    /// Subtitles and data stand where they stood, and subtitles that reach over an end of the part are shortened.
    private func writeEvent(_ packet: Packet, _ stream: ExportStream, _ part: ExportPart, _ lane: ExportLane) throws {
        guard let pts = packet.pts ?? packet.dts else { return }
        let unit = try RationalTime(ratio: stream.stream.pointee.time_base)
        var start = try RationalTime(pts, of: unit).subtracting(part.zero)
        var end = try start.adding(RationalTime(packet.duration, of: unit))
        guard start < part.end, start >= part.start || end > part.start else { return }
        start = max(start, part.start)
        end = min(max(end, start), part.end)
        let first = try lane.ticks(part.output(start).adding(shift))
        let last = try lane.ticks(part.output(end).adding(shift))
        lane.stamp(packet, pts: first, dts: first, duration: max(0, last - first))
        try context.write(packet)
    }

    // MARK: Report

    /// Probes the finished file as any source is probed, and requires that it presents what was planned.
    /// - Throws: ``MediaError/writing(_:)`` otherwise.
    func verify() throws {
        let facts = try AssetProbe.probe(FileByteSource(path: request.output)).facts
        func check(_ stream: ExportStream, _ what: String, _ found: Int64?, _ wanted: Int64) throws {
            guard found != wanted else { return }
            let words = "\(found.map { "\($0)" } ?? "no") \(what) of \(stream.name) and not \(wanted)"
            throw MediaError.writing("The exported file presents \(words), so it was thrown away.")
        }
        for (number, stream) in selection.streams.filter({ $0.kind == .picture }).enumerated() {
            let wanted = parts.reduce(Int64(0)) { $0 + Int64($1.picture(named: stream.name)?.cut.frames.count ?? 0) }
            let found = facts.video.indices.contains(number) ? facts.video[number].frameCount : nil
            try check(stream, "frames", found, wanted)
        }
        guard request.isExact, parts.count == 1 else { return }
        for (number, stream) in selection.streams.filter({ $0.kind == .sound }).enumerated() {
            guard let lane = lanes[stream.name], lane.firstDTS != nil else { continue }
            let found = facts.audio.indices.contains(number) ? facts.audio[number].sampleCount : nil
            try check(stream, "samples", found, Int64(lane.presented.count))
        }
    }

    func report() throws -> ExportReport {
        let last = parts[parts.count - 1]
        let lead = selection.streams.first { $0.kind == .picture && parts[0].lead == $0.index }
        let frames = lead.map { lead in
            parts.reduce(Int64(0)) { $0 + Int64($1.picture(named: lead.name)?.cut.frames.count ?? 0) }
        }
        let start = parts[0].start
        let duration = try last.place.adding(last.end.subtracting(last.start))
        return ExportReport(
            range: try TimeRange(start: start, duration: duration),
            frameCount: frames,
            streams: selection.streams.map(\.words),
            notes: notes
        )
    }
}

extension ExportPart {
    /// The share of the stream that users call `video/n`.
    func picture(named name: String) -> Picture? {
        source.facts.video.enumerated().first { "video/\($0.offset)" == name }.flatMap {
            pictures[$0.element.streamIndex]
        }
    }

    /// The share of the stream that users call `audio/n`.
    func sound(named name: String) -> Sound? {
        source.facts.audio.enumerated().first { "audio/\($0.offset)" == name }.flatMap {
            sounds[$0.element.streamIndex]
        }
    }
}

/// The least common multiple of two numbers above 0; the greatest number that there is where it would overflow.
private func leastCommonMultiple(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    let (product, overflows) = (first / max(a, 1)).multipliedReportingOverflow(by: second)
    return overflows ? .max : product
}
