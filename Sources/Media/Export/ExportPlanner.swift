import Bitstream
import CLibAV
import CompositionModel
import Timing
import WireProtocol

/// Decides what is taken of each file.
struct ExportPlanner {
    let request: ExportRequest
    /// The names of the streams that are copied.
    let names: Set<String>

    /// - Returns: the files of which anything is taken, in order.
    /// - Throws: ``MediaError/needsEncoding(_:)`` or ``MediaError/outOfRange(_:)`` with a sentence.
    func parts(_ sources: [ExportSource]) throws(MediaError) -> [ExportPart] {
        do {
            return try joined(sources)
        } catch let error as MediaError {
            throw error
        } catch {
            throw .unsupported("The files' times are impossible; remux them with ffmpeg -c copy.")
        }
    }

    private func joined(_ sources: [ExportSource]) throws -> [ExportPart] {
        let wanted = try request.range.map { range in (start: range.start, end: try range.end()) }
        var (parts, passed, place) = ([ExportPart](), RationalTime.zero, RationalTime.zero)
        for (number, source) in sources.enumerated() {
            let isLast = number == sources.count - 1
            let whole = try self.whole(source)
            let length = try whole.end.subtracting(whole.start)
            let next = try passed.adding(length)
            defer { passed = next }
            // A range that only touches a file's border takes nothing of that file.
            if let wanted, wanted.end <= passed || wanted.start >= next { continue }
            let begins = wanted.map { $0.start > passed } ?? false
            let ends = wanted.map { $0.end < next } ?? false
            var part = try self.part(
                source,
                from: begins ? whole.start.adding(wanted?.start ?? .zero).subtracting(passed) : whole.start,
                to: ends ? whole.start.adding(wanted?.end ?? .zero).subtracting(passed) : whole.end,
                isCut: (begins, ends)
            )
            part.isFollowed = !isLast && !ends
            if parts.isEmpty, !begins { try part.growToFirstSound() }
            if !part.isFollowed, !ends { try part.growToLastSound() }
            part.place = place
            place = try place.adding(part.end.subtracting(part.start))
            try refuseHidden(part, isFirst: parts.isEmpty)
            parts.append(part)
        }
        guard !parts.isEmpty else { throw MediaError.outOfRange("--range lies behind the end of the files.") }
        parts[parts.count - 1].isFollowed = false
        return parts
    }

    // MARK: A file

    private func lead(_ source: ExportSource) -> VideoStreamFacts? {
        let kept = source.facts.video.enumerated().filter { names.contains("video/\($0.offset)") }.map(\.element)
        return kept.first(where: \.isDefault) ?? kept.first
    }

    /// The times from the first picture to the end of the last; of sound alone the audible ones.
    private func whole(_ source: ExportSource) throws -> (start: RationalTime, end: RationalTime) {
        if let lead = lead(source) {
            let clock = try PictureClock(try index(of: lead, source))
            return (try clock.time(ofFrame: 0), try clock.time(ofFrame: lead.frameCount))
        }
        let kept = source.facts.audio.enumerated().filter { names.contains("audio/\($0.offset)") }.map(\.element)
        guard let sound = kept.first(where: \.isDefault) ?? kept.first else {
            throw MediaError.misfit("\(source.name) has no picture and no sound to copy.")
        }
        return (sound.start, try sound.start.adding(RationalTime(sound.sampleCount, Int64(sound.sampleRate))))
    }

    private func index(of stream: VideoStreamFacts, _ source: ExportSource) throws(MediaError) -> FrameIndex {
        guard let index = source.indexes[stream.streamIndex], !index.shown.isEmpty else {
            throw .invalidIndex("\(source.name) has no frame index; probe it again.")
        }
        return index
    }

    private func part(
        _ source: ExportSource,
        from start: RationalTime,
        to end: RationalTime,
        isCut: (start: Bool, end: Bool)
    ) throws -> ExportPart {
        let facts = source.facts
        var part = ExportPart(
            source: source,
            zero: .zero,
            start: start,
            end: end,
            pictures: [:],
            sounds: [:],
            isFollowed: false
        )
        if let first = facts.defaultVideo {
            let index = try index(of: first, source)
            part.zero = try RationalTime(index.origin, of: index.timeBase)
        }
        let isExact = request.isExact && (isCut.start || isCut.end)
        if let lead = lead(source) {
            part.lead = lead.streamIndex
            let picture = try self.picture(lead, source, from: start, to: end, isExact: isExact)
            part.pictures[lead.streamIndex] = picture
            part.start = try picture.clock.time(ofFrame: picture.cut.frames.lowerBound)
            part.end = try picture.clock.time(ofFrame: picture.cut.frames.upperBound)
        }
        for (number, stream) in facts.video.enumerated()
        where names.contains("video/\(number)") && stream.streamIndex != part.lead {
            let hides = request.format.hasEditLists && (isCut.start || isCut.end)
            part.pictures[stream.streamIndex] = try picture(
                stream,
                source,
                from: part.start,
                to: part.end,
                isExact: hides
            )
        }
        for (number, stream) in facts.audio.enumerated() where names.contains("audio/\(number)") {
            part.sounds[stream.streamIndex] = try sound(stream, source)
        }
        if facts.defaultVideo == nil, let sound = facts.defaultAudio.flatMap({ part.sounds[$0.streamIndex] }) {
            part.zero = try RationalTime(sound.origin, of: sound.timeBase)
        }
        return part
    }

    private func picture(
        _ stream: VideoStreamFacts,
        _ source: ExportSource,
        from start: RationalTime,
        to end: RationalTime,
        isExact: Bool
    ) throws -> ExportPart.Picture {
        let index = try index(of: stream, source)
        let clock = try PictureClock(index)
        let count = Int64(index.shown.count)
        let first = try frame(at: start, stream, clock, count)
        let last =
            try stream.isVariableRate
            ? frame(at: end, stream, clock, count, isEnd: true) : frame(at: end, stream, clock, count)
        guard first < last else {
            throw MediaError.outOfRange("--range is shorter than a frame of \(source.name).")
        }
        do {
            let entries = EntryCheck(source: source.bytes, index: index)
            let cut = try PictureCut(index, wanted: first..<last, isExact: isExact) { packet throws(MediaError) in
                try entries.isSafe(packet)
            }
            let endTicks = cut.frames.upperBound < count ? index.shown[Int(cut.frames.upperBound)] : index.endPts
            let times = try PictureTimes(cut, index, clock, end: clock.ticks(endTicks))
            return ExportPart.Picture(index: index, clock: clock, cut: cut, times: times)
        } catch MediaError.needsEncoding(let why) {
            throw MediaError.needsEncoding("\(source.name) cannot be copied, because \(why).")
        }
    }

    /// The frame on screen at a time: at a constant rate the nearest, because times of frames are written rounded.
    /// - Parameter isEnd: whether the first frame at or after it is meant.
    private func frame(
        at time: RationalTime,
        _ stream: VideoStreamFacts,
        _ clock: PictureClock,
        _ count: Int64,
        isEnd: Bool = false
    ) throws -> Int64 {
        if !stream.isVariableRate {
            let offset = try time.subtracting(clock.time(ofFrame: 0))
            return min(max(0, try stream.frameRate.frame(at: offset).value), count)
        }
        var (low, high) = (Int64(0), count)
        while low < high {
            let middle = (low + high) / 2
            let begin = try clock.time(ofFrame: middle)
            if isEnd ? begin >= time : begin > time { high = middle } else { low = middle + 1 }
        }
        return isEnd ? low : max(0, low - 1)
    }

    private func sound(_ stream: AudioStreamFacts, _ source: ExportSource) throws(MediaError) -> ExportPart.Sound {
        guard stream.parts == nil else {
            throw .needsEncoding(
                "\(source.name) is several files that were joined byte by byte; export each by itself."
            )
        }
        let decoder = try SoundDecoder(source.bytes, streamIndex: stream.streamIndex)
        let origin = try decoder.next()?.pts ?? 0
        return ExportPart.Sound(facts: stream, origin: origin, timeBase: decoder.timeBase)
    }

    // MARK: What is hidden

    private func refuseHidden(_ part: ExportPart, isFirst: Bool) throws(MediaError) {
        guard let hidden = part.pictures.values.first(where: \.cut.hides) else { return }
        let name = part.source.name
        for (stream, picture) in part.pictures where picture.cut.hides {
            let codec = part.source.facts.video.first { $0.streamIndex == stream }?.codec
            // libdav1d in FFmpeg forgets which packets an edit list hides.
            guard codec != "av1" else {
                throw .needsEncoding(
                    "\(name) is AV1, of which players show the pictures that an edit list should hide."
                )
            }
        }
        guard request.format.hasEditLists else {
            let what = "an edit list hides pictures of \(name), and \(request.format.words) has none"
            throw .misfit("\(what); write .mp4 or .mov, or begin --range at a keyframe.")
        }
        let first = hidden.index.packets[hidden.cut.packets.lowerBound].pts
        let hidesStart = first < hidden.index.shown[Int(hidden.cut.frames.lowerBound)]
        guard !(hidesStart && !isFirst) else {
            throw .needsEncoding("\(name) begins with pictures that an edit list hides, so only the first file may.")
        }
    }
}

extension ExportPart {
    /// Takes in sound that begins before the first picture.
    mutating func growToFirstSound() throws(MediaError) {
        for sound in sounds.values where sound.facts.sampleCount > 0 { start = min(start, sound.facts.start) }
        for picture in pictures.values {
            start = min(start, try picture.clock.time(ofFrame: 0))
        }
    }

    /// Takes in sound that ends after the last picture.
    mutating func growToLastSound() throws(TimeError) {
        for sound in sounds.values { end = max(end, try sound.end()) }
    }
}

/// Whether decoding may begin at a packet that the index calls an entry: of H.264 only at an IDR picture, although the
/// index takes recovery points too where IDR pictures are rare.
final class EntryCheck {
    private let source: any ByteSource
    private let index: FrameIndex
    private var cursor: PacketCursor?

    init(source: any ByteSource, index: FrameIndex) { (self.source, self.index) = (source, index) }

    func isSafe(_ packet: Int) throws(MediaError) -> Bool {
        if cursor == nil { cursor = try PacketCursor(source, index: index) }
        guard let cursor else { return false }
        guard let parameters = cursor.stream?.pointee.codecpar, parameters.pointee.codec_id == AV_CODEC_ID_H264 else {
            return true
        }
        let header = UnsafeRawBufferPointer(
            start: parameters.pointee.extradata,
            count: Int(parameters.pointee.extradata_size)
        )
        try cursor.move(to: packet)
        guard let found = try cursor.next()?.packet else { return false }
        return AccessUnitReader(codec: AV_CODEC_ID_H264, extradata: header).read(found.bytes, isKey: found.isKey)
            == .entry
    }
}
