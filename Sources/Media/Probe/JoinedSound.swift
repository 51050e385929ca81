import CompositionModel
import Timing

/// Probes a file of sound that consists of several files, one behind the other: each by itself, as if there were nothing
/// else, and what is heard of one begins where what is heard of the one before ends.
struct JoinedSound {
    private let source: any ByteSource
    private let pieces: [JoinedFiles.Piece]

    init(_ source: any ByteSource, _ pieces: [JoinedFiles.Piece]) { (self.source, self.pieces) = (source, pieces) }

    /// - Throws: ``MediaError/unsupported(_:)`` for pictures, and where the format changes; what the first file throws, if
    ///   none can be read.
    func facts() throws(MediaError) -> AssetFacts {
        var whole: AssetFacts?
        var streams: [SoundParts] = []
        var refusal: MediaError?
        for piece in pieces {
            let found: AssetFacts
            do {
                found = try AssetProbe.probeFile(SlicedByteSource(source, piece.bytes)).facts
            } catch {
                guard error.liesInTheBytes else { throw error }
                refusal = refusal ?? error
                for position in streams.indices { streams[position].missOne() }
                continue
            }
            guard found.video.isEmpty else {
                throw .unsupported(
                    "The file consists of \(pieces.count) files, one behind the other, with pictures; split it at byte "
                        + "\(pieces[0].bytes.upperBound) and give the parts."
                )
            }
            if whole == nil {
                whole = found
                streams = found.audio.map { SoundParts($0, missesFirst: refusal != nil) }
            }
            for position in streams.indices {
                if found.audio.indices.contains(position) {
                    try streams[position].append(found.audio[position], piece)
                } else {
                    streams[position].missOne()
                }
            }
        }
        guard var whole else { throw refusal ?? .notMedia("The file is empty; give a movie or a sound file.") }
        whole.byteCount = source.byteCount
        whole.audio = streams.map(\.facts)
        return whole
    }
}

/// One sound stream as its parts are found.
struct SoundParts {
    private let first: AudioStreamFacts
    private var parts: [SoundPart] = []
    /// Where a part could not be read; see ``SoundFlaws/unheard``.
    private var unheard: Int64?

    /// - Parameter missesFirst: something before the first part cannot be read.
    init(_ first: AudioStreamFacts, missesFirst: Bool) {
        self.first = first
        unheard = missesFirst ? 0 : nil
    }

    /// The sound of an MPEG stream whose clock begins anew.
    /// - Parameters:
    ///   - facts: of its first part alone.
    ///   - sound: the whole stream.
    ///   - begin: the source time of the first picture beside the first part; nil without pictures.
    init(
        _ facts: AudioStreamFacts,
        of sound: SoundTrackProbe,
        beginningAt begin: RationalTime?,
        missesFirst: Bool
    ) throws(MediaError) {
        var first = facts
        (first.language, first.isDefault) = (sound.facts.language, sound.facts.isDefault)
        first.streamIndex = sound.streamIndex
        first.start = try SoundParts.sum(begin ?? .zero, facts.start)
        self.init(first, missesFirst: missesFirst)
    }

    private static func sum(_ time: RationalTime, _ other: RationalTime) throws(MediaError) -> RationalTime {
        do {
            return try time.adding(other)
        } catch {
            throw .unsupported("The file's sound has impossible times; remux it with ffmpeg -c copy.")
        }
    }

    private var end: Int64 { parts.last?.end ?? 0 }

    /// The sample of the whole that is heard at a source time.
    private func sample(at time: RationalTime) throws(MediaError) -> Int64 {
        do {
            return try time.subtracting(first.start).count(of: RationalTime(1, Int64(first.sampleRate))).value
        } catch {
            throw .unsupported("The file's sound has impossible times; remux it with ffmpeg -c copy.")
        }
    }

    /// What belongs at a source time cannot be read; nil is behind the last part.
    mutating func missOne(at time: RationalTime?) {
        let place = time.flatMap { try? sample(at: $0) } ?? end
        unheard = unheard ?? max(place, 0)
    }

    /// Appends a part that stands beside pictures of its own, and is heard while they are shown. What sounds before the
    /// first pictures of the file, or behind the last ones, is heard too.
    /// - Parameters:
    ///   - zero: the source time of the picture to which the part's start refers.
    ///   - begin: that of its first picture.
    ///   - next: that of the first picture behind; nil for the last part.
    mutating func append(
        _ stream: AudioStreamFacts,
        _ bytes: Range<Int64>,
        of zero: RationalTime,
        heardFrom begin: RationalTime,
        to next: RationalTime?
    ) throws(MediaError) {
        let place = try sample(at: SoundParts.sum(zero, stream.start))
        let heard = parts.isEmpty ? place : max(place, try sample(at: begin), end)
        var last = place + stream.sampleCount
        if let next { last = min(last, try sample(at: next)) }
        try append(stream, bytes, at: heard, offset: heard - place, count: last - heard)
    }

    /// What comes next cannot be read.
    mutating func missOne() { unheard = unheard ?? end }

    /// Appends a part that begins where the last one ends, or behind what is missing.
    mutating func append(_ stream: AudioStreamFacts, _ piece: JoinedFiles.Piece) throws(MediaError) {
        var stream = stream
        if let missing = piece.missing {
            if missing > 0 { missOne() }
            move(promiseTo: &stream, behind: missing)
        }
        let start = end + (piece.missing ?? 0)
        try append(stream, piece.bytes, at: start, offset: 0, count: stream.sampleCount)
    }

    /// What the header of a file promises stands with the first of its pieces, and holds for all of them.
    private mutating func move(promiseTo stream: inout AudioStreamFacts, behind missing: Int64) {
        guard let last = parts.indices.last, let promised = parts[last].stream.flaws?.promised else { return }
        var flaws = parts[last].stream.flaws
        flaws?.promised = nil
        parts[last].stream.flaws = flaws
        let rest = promised - parts[last].count - missing
        guard rest > stream.sampleCount else { return }
        stream.flaws = SoundFlaws(
            promised: rest,
            displaced: stream.flaws?.displaced,
            isTorn: stream.flaws?.isTorn == true
        )
    }

    /// - Parameters:
    ///   - start: its place in the whole.
    ///   - offset: its sample that is heard there.
    ///   - count: the number of its samples that are heard.
    /// - Throws: ``MediaError/unsupported(_:)`` for another format than the first one's.
    mutating func append(
        _ stream: AudioStreamFacts,
        _ bytes: Range<Int64>,
        at start: Int64,
        offset: Int64,
        count: Int64
    ) throws(MediaError) {
        guard words(stream) == words(first) else {
            let time = TimeWords.seconds(sample: start, at: first.sampleRate, after: first.start)
            throw .unsupported(
                "The file consists of several files, one behind the other, and its sound changes from \(words(first)) to "
                    + "\(words(stream)) at \(time); split it at byte \(bytes.lowerBound) and convert the parts to one format."
            )
        }
        guard count > 0 else { return }
        var stream = stream
        do {
            let shift = try RationalTime(start - offset, Int64(first.sampleRate))
            stream.start = try first.start.adding(shift)
        } catch {
            throw .unsupported("The file's sound is impossibly long; split it at byte \(bytes.lowerBound).")
        }
        parts.append(SoundPart(bytes: bytes, start: start, offset: offset, count: count, stream: stream))
    }

    private func words(_ stream: AudioStreamFacts) -> String {
        "\(stream.channelLayout) at \(stream.sampleRate) Hz"
    }

    var facts: AudioStreamFacts {
        var whole = first
        whole.sampleCount = end
        whole.parts = parts
        whole.cells = AudioStreamFacts.cells(of: parts)
        whole.timeJitter = nil
        whole.copy = whole.copy.map { _ in SoundCopyFacts(obstacles: [.joined]) }
        let flaws = parts.map { ($0, $0.stream.flaws) }
        let promised = parts.reduce(Int64(0)) { $0 + ($1.stream.flaws?.promised ?? $1.count) }
        whole.flaws = SoundFlaws(
            promised: flaws.contains { $1?.promised != nil } ? promised : nil,
            displaced: flaws.compactMap { part, flaws in flaws?.displaced.map { $0 - part.offset + part.start } }.first,
            isTorn: flaws.contains { $1?.isTorn == true },
            tail: flaws.last?.1?.tail,
            unheard: unheard
        )
        return whole
    }
}
