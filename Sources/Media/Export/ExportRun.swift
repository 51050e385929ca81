import CLibAV
import CompositionModel
import Timing
import WireProtocol

/// Writes one exported file.
struct ExportRun {
    let request: ExportRequest
    let selection: ExportSelection
    let parts: [ExportPart]
    /// The file of the first part, which the lanes' streams belong to.
    let demuxer: Demuxer
    let context: ExportContext
    /// By name of the stream.
    var lanes: [String: ExportLane] = [:]
    let covers: [ExportStream]
    /// Added to all times of containers that have no edit lists, so that none is negative.
    var shift = RationalTime.zero
    let movieTicks: Int64
    let notes: [String]
    /// What is damaged in the sources, a sentence for each.
    var warnings: [String]
    /// The damage of the file that is copied, by name of the stream.
    var damage: [String: ExportDamage] = [:]

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
        notes = try selection.notes + Self.lostSound(parts)
        warnings = Self.flaws(parts, selection)
        context = try ExportContext(request.format, path: request.output)
        covers = selection.streams.filter { $0.kind == .cover }
        for stream in selection.streams {
            if stream.kind == .cover, request.format == .matroska { continue }
            let output = try context.add(stream, request.format)
            lanes[stream.name] = ExportLane(stream, output, ticksPerSecond: try Self.ticks(stream, parts))
        }
        movieTicks = Self.movieTicks(lanes.values.filter { [.picture, .sound].contains($0.stream.kind) })
        let head = ExportHead(request, selection, inspections, parts, demuxer)
        let jump = try ExportJump(parts[0], selection.streams)
        let starts = try SoundStartFinder.find(try soundStarts(), parts[0].source.bytes, from: jump?.entry)
        try head.write(to: context, lanes)
        try prepare(starts)
        try head.writeChapters(to: context, shift: shift)
        try context.open(head.options(movieTicks: movieTicks))
    }

    /// The flaws of the copied sound that the probe found.
    static func flaws(_ parts: [ExportPart], _ selection: ExportSelection) -> [String] {
        parts.flatMap { part in
            selection.streams.compactMap { stream in
                let words = part.sound(named: stream.name)?.facts.flawWords
                return words.map { "\(part.source.name): \(stream.name): \($0)." }
            }
        }
    }

    /// What is said of sound that goes on behind the last picture of a file that others follow.
    static func lostSound(_ parts: [ExportPart]) throws -> [String] {
        var notes: [String] = []
        for part in parts where part.isFollowed {
            for (number, stream) in part.source.facts.audio.enumerated() {
                guard let sound = part.sounds[stream.streamIndex] else { continue }
                let lost = try sound.end().subtracting(part.end)
                // Less than that is the rest of a packet, as most files have.
                guard lost > (try RationalTime(1, 10)) else { continue }
                let what = "\(TimeWords.seconds(lost)) of audio/\(number) behind its last picture"
                notes.append("\(part.source.name): \(what) are left out, because another file follows.")
            }
        }
        return notes
    }

    /// The ticks that hold the times of a stream exactly.
    static func ticks(_ stream: ExportStream, _ parts: [ExportPart]) throws -> Int64 {
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
    static func movieTicks(_ lanes: [ExportLane]) -> Int64 {
        let ordered = lanes.sorted { $0.stream.index < $1.stream.index }
        return ordered.reduce(Int64(1)) { common, lane in
            let next = leastCommonMultiple(common, lane.ticksPerSecond)
            return next <= 500_000_000 ? next : common
        }
    }

    // MARK: Beginning

    func soundStarts() throws -> [SoundStartFinder.Wanted] {
        try lanes.values.compactMap { lane in
            guard lane.stream.kind == .sound, let sound = parts[0].sound(named: lane.stream.name) else { return nil }
            return SoundStartFinder.Wanted(
                stream: lane.stream,
                clock: sound.clock(lane.stream),
                lengths: SoundPacketLength(lane.stream, sampleRate: sound.facts.sampleRate),
                sample: try parts[0].samples(of: sound).lowerBound,
                isPrimed: hidesPriming(lane.stream),
                hasEditList: request.format.hasEditLists
            )
        }
    }

    /// Whether the container hides what a decoder needs before the first sample: by an edit list, or for Opus by the
    /// pre-skip of its header (RFC 7845, 5.1).
    func hidesPriming(_ stream: ExportStream) -> Bool {
        request.format.hasEditLists
            || [.matroska, .webm].contains(request.format)
                && stream.parameters.pointee.codec_id == AV_CODEC_ID_OPUS
    }

    /// Finds the first and last times of all lanes, and what these mean for the container.
    mutating func prepare(_ starts: [Int: Int64]) throws {
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
                lane.offset = try offset(of: lane, firstPTS: coded)
            case .sound:
                try prepareSound(lane, starts[lane.stream.index], &earliest)
            case .subtitles, .data, .cover, .attachment: break
            }
        }
        if !request.format.hasEditLists { shift = try RationalTime.zero.subtracting(earliest) }
    }

    func firstPTS(of picture: ExportPart.Picture, in lane: ExportLane) throws -> Int64 {
        let base = try lane.ticks(parts[0].output(picture.clock.start))
        let scale = lane.ticksPerSecond / picture.clock.ticksPerSecond
        let first = picture.times.entries[picture.cut.packets.lowerBound]?.pts ?? 0
        return base + first * scale
    }

    func prepareSound(_ lane: ExportLane, _ start: Int64?, _ earliest: inout RationalTime) throws {
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
        let coded = offset + (isCoded ? start ?? samples.lowerBound : samples.lowerBound)
        lane.offset = try self.offset(of: lane, firstPTS: coded)
        guard !request.format.hasEditLists else { return }
        if hidesPriming(lane.stream) {
            try ExportHead.setPreSkip(lane.output, samples: first - coded)
            // Readers take CodecDelay off the times of blocks (RFC 9559, 5.1.4.1.25), and the writer does not add it.
            lane.offset = first - coded
        } else {
            earliest = min(earliest, try RationalTime(coded, rate))
        }
    }

    /// Ticks that let the writer of MP4 make two entries of an edit list where a track is presented late, although coded
    /// samples stand before: it goes by the first pts.
    func offset(of lane: ExportLane, firstPTS: Int64) throws(TimeError) -> Int64 {
        guard request.format.hasEditLists else { return 0 }
        // A tick of the movie is not longer than two of a track's.
        if try lane.delay(movie: movieTicks) == 0 { return min(0, -firstPTS) }
        return max(0, 2 - firstPTS)
    }

    func soundOffset(_ sound: ExportPart.Sound, in part: ExportPart) throws -> Int64 {
        try part.output(sound.facts.start).count(of: RationalTime(1, Int64(sound.facts.sampleRate))).value
    }

    func soundPart(
        _ sound: ExportPart.Sound,
        _ part: ExportPart,
        _ stream: ExportStream,
        offset: Int64,
        samples: Range<Int64>,
        start: Int64?
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
}

/// The least common multiple of two numbers above 0; the greatest number that there is where it would overflow.
func leastCommonMultiple(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    let (product, overflows) = (first / max(a, 1)).multipliedReportingOverflow(by: second)
    return overflows ? .max : product
}
