import CLibAV
import CompositionModel
import Timing
import WireProtocol

// This extension copies the packets.
extension ExportRun {
    mutating func write(_ progress: (Int) -> Void) throws {
        try writeCovers()
        let count = parts.count
        for (number, part) in parts.enumerated() {
            let reader = number == 0 ? demuxer : try Demuxer(part.source.bytes)
            try write(part, number, reader) { done in
                progress((number * 1000 + done) / count)
            }
        }
        try context.finish()
        guard request.format.hasEditLists else { return }
        // The writer leaves out tracks without packets, and artwork is no track.
        let written = selection.streams.compactMap { lanes[$0.name] }.filter { $0.firstDTS != nil }
        var lists: [Int: EditList] = [:]
        for (number, lane) in written.enumerated() { lists[number] = try lane.editList(movie: movieTicks) }
        try EditList.write(lists, to: request.output)
        try TrackEnabling.write(written.map(\.stream), to: request.output)
        if request.format == .mov { try TrackLanguage.write(written.map(\.stream), to: request.output) }
    }

    mutating func writeCovers() throws {
        for stream in covers {
            guard let lane = lanes[stream.name] else { continue }
            let packet = try Packet()
            guard av_packet_ref(packet.raw, &stream.stream.pointee.attached_pic) >= 0 else { continue }
            packet.raw.pointee.stream_index = lane.output.pointee.index
            (packet.raw.pointee.pts, packet.raw.pointee.dts) = (0, 0)
            try put(packet, PacketOrigin(packet, stream, parts[0], isDamaged: false))
        }
    }

    mutating func write(_ part: ExportPart, _ number: Int, _ opened: Demuxer, _ progress: (Int) -> Void) throws {
        var (reader, counts) = (opened, [Int: Int]())
        // Only the first part begins in the middle of a file.
        if number == 0, let jump = try ExportJump(part, selection.streams) {
            if let landed = try jump.land(reader) { counts = landed } else { reader = try Demuxer(part.source.bytes) }
        }
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
        var open = Set(streams.filter { $0.kind == .picture || $0.kind == .sound }.map(\.index))
        let hasOthers = streams.contains { $0.kind == .subtitles || $0.kind == .data }
        let checks = soundChecks(streams, part)
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
            // A packet of PCM that is marked corrupt is a short one.
            let isMarked = packet.isCorrupt && lane.sound?.bytesPerSample == nil
            let isDamaged = isMarked || checks[stream.index]?.refusal(of: packet).map(Self.damages.contains) ?? false
            let origin = PacketOrigin(packet, stream, part, isDamaged: isDamaged)
            switch stream.kind {
            case .picture:
                guard let picture = part.pictures[stream.index] else { continue }
                if place >= picture.cut.packets.upperBound { open.remove(stream.index) }
                try write(packet, number: place, of: picture, part, lane, origin)
            case .sound:
                try writeSound(packet, lane, origin)
                if lane.sound?.isDone == true { open.remove(stream.index) }
            case .subtitles, .data: try writeEvent(packet, stream, part, lane, origin)
            case .cover, .attachment: break
            }
        }
        for stream in streams {
            guard let words = damage[stream.name]?.words(file: part.source.name, stream: stream.name) else { continue }
            warnings.append(words)
        }
        damage = [:]
    }

    /// Refusals that only damage explains: a packet of another profile, or of more channels, can be played.
    private static let damages: Set<SoundCopyRefusal> = [.damaged, .header]

    /// Checks of sound of which the probe found damaged packets, by stream.
    private func soundChecks(_ streams: [ExportStream], _ part: ExportPart) -> [Int: AACPacketCheck] {
        var checks: [Int: AACPacketCheck] = [:]
        for stream in streams {
            guard let facts = part.sounds[stream.index]?.facts, let copy = facts.copy, !copy.stretches.isEmpty,
                !Self.damages.isDisjoint(with: copy.obstacles)
            else { continue }
            checks[stream.index] = try? AACPacketCheck(
                sampleRate: facts.sampleRate,
                channels: facts.channels,
                hasHeader: stream.parameters.pointee.extradata_size == 0
            )
        }
        return checks
    }

    /// Writes a packet, and notes where it is damaged.
    /// - Throws: ``MediaError/misfit(_:)`` where the container cannot hold what is in it, as it is no packet of its codec.
    mutating func put(_ packet: Packet, _ origin: PacketOrigin) throws {
        guard try context.write(packet) else {
            // The writer holds packets back: the one that it complains of may stand a little before this one.
            let place = origin.time.map { " near \(ExportDamage.seconds($0))" } ?? ""
            let (name, what) = (origin.stream.name, request.format.words)
            throw MediaError.misfit(
                "\(origin.file): the packet of \(origin.stream.words)\(place) is damaged, and \(what) cannot hold it; "
                    + "leave the stream out with --without \(name), or encode it."
            )
        }
        if origin.isDamaged { damage[origin.stream.name, default: ExportDamage()].add(at: origin.time) }
    }

    /// Whether a packet lies a second and more behind the part.
    func isBehind(_ packet: Packet, _ stream: ExportStream, _ part: ExportPart) throws -> Bool {
        guard let pts = packet.pts else { return false }
        let unit = try RationalTime(ratio: stream.stream.pointee.time_base)
        let time = try RationalTime(pts, of: unit).subtracting(part.zero)
        return time > (try part.end.adding(RationalTime(whole: 1)))
    }

    mutating func write(
        _ packet: Packet,
        number: Int,
        of picture: ExportPart.Picture,
        _ part: ExportPart,
        _ lane: ExportLane,
        _ origin: PacketOrigin
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
        try put(packet, origin)
    }

    mutating func writeSound(_ packet: Packet, _ lane: ExportLane, _ origin: PacketOrigin) throws {
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
        try put(packet, origin)
    }

    /// Subtitles and data stand where they stood, and subtitles that reach over an end of the part are shortened.
    mutating func writeEvent(
        _ packet: Packet,
        _ stream: ExportStream,
        _ part: ExportPart,
        _ lane: ExportLane,
        _ origin: PacketOrigin
    ) throws {
        guard let pts = packet.pts ?? packet.dts else { return }
        let unit = try RationalTime(ratio: stream.stream.pointee.time_base)
        var start = try RationalTime(pts, of: unit).subtracting(part.zero)
        var end = try start.adding(RationalTime(packet.duration, of: unit))
        guard start < part.end, start >= part.start || end > part.start else { return }
        if let text = SubtitleText(lane.stream, request.format), try !text.convert(packet) { return }
        start = max(start, part.start)
        end = min(max(end, start), part.end)
        let first = try lane.ticks(part.output(start).adding(shift))
        let last = try lane.ticks(part.output(end).adding(shift))
        lane.stamp(packet, pts: first, dts: first, duration: max(0, last - first))
        try put(packet, origin)
    }
}
