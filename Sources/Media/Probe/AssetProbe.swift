import CLibAV
package import CompositionModel
import Timing

/// Finds out all that compiling, planning and reading need to know of one file, in one pass over its packets.
package enum AssetProbe {
    /// - Returns: the facts, and one index for each picture stream, in the order of `facts.video`.
    /// - Throws: ``MediaError/notMedia(_:)``, ``MediaError/protected(_:)``, ``MediaError/endless(_:)``,
    ///   ``MediaError/truncated(_:)``, ``MediaError/unsupported(_:)``, ``MediaError/limitExceeded(_:)``, or what
    ///   `source` throws.
    package static func probe(
        _ source: any ByteSource
    ) throws(MediaError) -> (facts: AssetFacts, indexes: [FrameIndex]) {
        if let picture = try GeneratedPicture(source) { return (picture.facts, []) }
        if let sound = try GeneratedSound(source) { return (sound.facts, []) }
        let pieces = try JoinedFiles(source).pieces()
        let isPlain = pieces == [JoinedFiles.Piece(bytes: 0..<source.byteCount)]
        return isPlain ? try probeFile(source) : (try JoinedSound(source, pieces).facts(), [])
    }

    /// Probes a file that is none of several.
    static func probeFile(
        _ source: any ByteSource
    ) throws(MediaError) -> (facts: AssetFacts, indexes: [FrameIndex]) {
        let demuxer = try Demuxer(source)
        try Protection.refuse(demuxer)
        var tracks = try tracks(of: demuxer, source)
        try tracks.walk(demuxer)
        try tracks.joinClocks(demuxer, source)
        try tracks.resolveOrder(demuxer, source)
        try tracks.readFirstPictures(source)
        return try tracks.result(demuxer, source)
    }

    /// What refuses a file whose first packet is encrypted; nil for any other.
    private static func protection(of source: any ByteSource) -> MediaError? {
        do throws(MediaError) {
            _ = try Demuxer(source).next(into: Packet())
        } catch {
            if case .protected = error { return error }
        }
        return nil
    }

    /// The streams of a file. Of encrypted pictures libavformat may read any size or none, as the bytes happen to be: such
    /// a file is refused for its encryption, which its first packet says.
    private static func tracks(of demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) -> Tracks {
        do throws(MediaError) {
            return try Tracks(demuxer, source)
        } catch {
            throw protection(of: source) ?? error
        }
    }
}

/// The streams of one file that can be shown or heard.
private struct Tracks {
    var pictures: [PictureTrackProbe] = []
    var sounds: [SoundTrackProbe] = []
    private var artwork: [ArtworkFacts] = []
    /// Positions in the two lists by stream index.
    private var pictureOfStream: [Int: Int] = [:]
    private var soundOfStream: [Int: Int] = [:]
    private let byteCount: Int64
    private let isWave: Bool
    private var restarts: ClockRestarts?
    /// The bytes of each clock of an MPEG stream whose clock begins anew; none for any other.
    private var clocks: [Range<Int64>] = []

    init(_ demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) {
        byteCount = source.byteCount
        isWave = demuxer.container == "wav"
        restarts = ClockRestarts(container: demuxer.container)
        var (unknown, silent): ([String], [String]) = ([], [])
        for index in 0..<demuxer.streamCount {
            guard let facts = StreamFacts(demuxer.stream(index)) else { continue }
            if facts.isArtwork { artwork.append(ArtworkFacts(codec: facts.codec, size: facts.size)) }
            guard facts.isPicture || facts.isSound else { continue }
            guard facts.hasDecoder else {
                unknown.append(facts.codec)
                continue
            }
            if facts.isPicture {
                pictureOfStream[index] = pictures.count
                pictures.append(try PictureTrackProbe(facts))
            } else if let sound = try SoundTrackProbe(source, facts, container: demuxer.container) {
                soundOfStream[index] = sounds.count
                sounds.append(sound)
            } else {
                silent.append(facts.codec)
            }
        }
        guard pictures.isEmpty && sounds.isEmpty else { return }
        if let codec = silent.first, unknown.isEmpty {
            throw .notMedia("The file's sound (\(codec)) has no samples that can be decoded; record or copy it again.")
        }
        if unknown.isEmpty { throw .notMedia("The file holds neither picture nor sound; give a movie.") }
        throw .unsupported("There is no decoder for \(unknown.joined(separator: ", ")); convert the file to H.264.")
    }

    /// Reads every packet once.
    mutating func walk(_ demuxer: Demuxer) throws(MediaError) {
        demuxer.select(Set(pictureOfStream.keys).union(soundOfStream.keys))
        let packet = try Packet()
        while try demuxer.next(into: packet) {
            try checkComplete(packet)
            if let stream = demuxer.stream(packet.streamIndex) {
                restarts?.add(packet, timeBase: stream.pointee.time_base)
            }
            if let position = pictureOfStream[packet.streamIndex] { try pictures[position].add(packet) }
            if let position = soundOfStream[packet.streamIndex] { sounds[position].add(packet) }
        }
        pictures.removeAll { $0.firstPts == nil }
        guard !pictures.isEmpty || !sounds.isEmpty else {
            throw .notMedia("No picture of the file can be decoded; convert it to H.264 in MP4.")
        }
    }

    /// libavformat hands over what is left of a packet at the end of a cut-off file, marked corrupt. Of a WAV too whose
    /// header says no length, as one that was written to a pipe: such a file ends where it ends (``ContainerCheck``).
    private func checkComplete(_ packet: Packet) throws(MediaError) {
        guard !isWave else { return }
        let end = packet.raw.pointee.pos.addingReportingOverflow(Int64(packet.raw.pointee.size))
        guard packet.isCorrupt, packet.raw.pointee.pos >= 0, end.overflow || end.partialValue >= byteCount else {
            return
        }
        throw .truncated("The file is cut off: its last packet is incomplete; copy or record it again.")
    }

    /// Where the clock of an MPEG stream begins anew, the pictures of the new one begin where those before end.
    mutating func joinClocks(_ demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) {
        let found = restarts?.borders() ?? []
        guard !found.isEmpty, found.count < JoinedFiles.limit else { return }
        let streams = Set((0..<demuxer.streamCount).compactMap { demuxer.stream($0).map { Int($0.pointee.id) } })
        var borders: [Int64] = []
        for place in found {
            borders.append(
                try StreamBorder.moved(place, in: source, container: demuxer.container, streams: streams)
            )
        }
        clocks = zip([0] + borders, borders + [byteCount]).map { $0..<max($0, $1) }
        guard let lead else { return }
        let shifts = lead.builder.shifts(joining: borders)
        for position in pictures.indices { pictures[position].shift(by: shifts, at: borders) }
    }

    /// The stream of pictures that the others go by.
    private var lead: PictureTrackProbe? { pictures.first(where: \.facts.isDefault) ?? pictures.first }

    /// AVI and MXF count pictures from their start, and without the index of MXF the times of some are libavformat's
    /// guess. All other containers state some times.
    mutating func resolveOrder(_ demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) {
        for position in pictures.indices where pictures[position].needsDecodeOrder {
            let track = pictures[position]
            guard let rate = track.facts.rateHints.first else {
                throw .unsupported(
                    "Pictures of stream \(track.streamIndex) have no times and no rate; remux the file to MP4 first."
                )
            }
            let order = DecodeOrder(
                source: source,
                streamIndex: track.streamIndex,
                packetCount: track.builder.packets.count
            )
            let times = try order.times(rate: rate, timeBase: track.timeBase)
            pictures[position].setTimes(times, isAnchored: !["avi", "mxf"].contains(demuxer.container))
        }
    }

    /// Reads the orientations of picture files, which movies say in their container, and whether a movie is interlaced.
    mutating func readFirstPictures(_ source: any ByteSource) throws(MediaError) {
        for position in pictures.indices {
            let picture = pictures[position]
            guard picture.isStill || picture.facts.mayBeInterlaced else { continue }
            guard let first = try FirstPicture.read(source, streamIndex: picture.streamIndex) else { continue }
            if picture.isStill { pictures[position].orientation = first.orientation }
            pictures[position].firstField = first.firstField
        }
    }

    func result(
        _ demuxer: Demuxer,
        _ source: any ByteSource
    ) throws(MediaError) -> (facts: AssetFacts, indexes: [FrameIndex]) {
        let zero = try self.zero()
        var found: [(facts: VideoStreamFacts, index: FrameIndex)] = []
        for picture in pictures { found.append(try picture.result(zero: zero)) }
        var heard: [AudioStreamFacts] = []
        let joined = clocks.isEmpty ? [:] : try soundsOfClocks(source, zero: zero)
        for sound in sounds {
            if let parts = joined[sound.streamIndex] {
                heard.append(parts.facts)
                continue
            }
            let notes = sounds.count == 1 ? try GaplessNote.all(demuxer, source) : []
            heard.append(
                try sound.audioFacts(
                    source,
                    isMOV: demuxer.isMOV,
                    zero: zero,
                    notes: notes,
                    isLengthWritten: demuxer.raw.pointee.duration_estimation_method == AVFMT_DURATION_FROM_STREAM,
                    isTorn: demuxer.loggedErrorCount > 0
                )
            )
        }
        let facts = AssetFacts(
            container: demuxer.container,
            brand: demuxer.brand,
            byteCount: byteCount,
            video: found.map(\.facts),
            audio: heard,
            artwork: artwork.isEmpty ? nil : artwork
        )
        return (facts, found.map(\.index))
    }

    /// The file's time, in seconds, that is the asset's zero: of the default picture stream's first picture, else of
    /// the default sound stream's first audible sample.
    private func zero() throws(MediaError) -> RationalTime {
        do {
            if let picture = lead, let first = picture.firstPts {
                return try RationalTime(first, of: picture.timeBase)
            }
            guard let sound = sounds.first(where: \.facts.isDefault) ?? sounds.first else { return .zero }
            return try RationalTime(sound.origin, of: sound.timeBase)
        } catch {
            throw .unsupported("The file's first time is impossible; remux it with ffmpeg -c copy.")
        }
    }

    // MARK: Clocks that begin anew

    /// Probes the bytes of each clock as a file of its own, and puts its sound beside its pictures. Sound without pictures
    /// is continuous.
    /// - Returns: the sounds by their streams' indexes.
    private func soundsOfClocks(_ source: any ByteSource, zero: RationalTime) throws(MediaError) -> [Int: SoundParts] {
        let begins = try clocks.map { clock throws(MediaError) in
            try time(lead?.builder.firstTime(in: clock), zero: zero)
        }
        var found: [Int: SoundParts] = [:]
        var hasMissed = false
        for (number, clock) in clocks.enumerated() {
            let part: (demuxer: Demuxer, tracks: Tracks)
            do {
                part = try Tracks.walked(SlicedByteSource(source, clock))
            } catch {
                guard error.liesInTheBytes else { throw error }
                hasMissed = true
                for stream in found.keys { found[stream]?.missOne(at: begins[number]) }
                continue
            }
            let begin = begins[number]
            let next = begins.dropFirst(number + 1).lazy.compactMap(\.self).first
            let reference = try time(ofFirstPictureOf: part.tracks, in: clock, zero: zero) ?? begin
            for sound in sounds {
                guard let facts = try part.tracks.facts(of: sound, source, clock, part.demuxer) else { continue }
                var parts: SoundParts
                if let known = found[sound.streamIndex] {
                    parts = known
                } else {
                    parts = try SoundParts(facts, of: sound, beginningAt: reference, missesFirst: hasMissed)
                }
                if part.tracks.restartsRemain { parts.missOne(at: begin) }
                if let reference, let begin, !part.tracks.pictures.isEmpty {
                    try parts.append(facts, clock, of: reference, heardFrom: begin, to: next)
                } else if lead == nil {
                    try parts.append(facts, JoinedFiles.Piece(bytes: clock))
                } else {
                    // Sound alone, among parts with pictures, belongs nowhere.
                    parts.missOne(at: next)
                }
                found[sound.streamIndex] = parts
            }
        }
        return found
    }

    /// The source time of the picture that is the first one of a part alone, which may lack some that need those before.
    private func time(
        ofFirstPictureOf part: Tracks,
        in clock: Range<Int64>,
        zero: RationalTime
    ) throws(MediaError) -> RationalTime? {
        guard let lead, let position = part.lead?.builder.firstPosition else { return nil }
        return try time(lead.builder.time(at: position + clock.lowerBound), zero: zero)
    }

    /// The facts of that of its sounds which is a part of `sound`; nil where there is none.
    private func facts(
        of sound: SoundTrackProbe,
        _ source: any ByteSource,
        _ clock: Range<Int64>,
        _ demuxer: Demuxer
    ) throws(MediaError) -> AudioStreamFacts? {
        let identifier = sound.facts.stream.pointee.id
        guard let own = sounds.first(where: { $0.facts.stream.pointee.id == identifier }) else { return nil }
        return try own.audioFacts(
            SlicedByteSource(source, clock),
            isMOV: false,
            zero: zero(),
            notes: [],
            isLengthWritten: false,
            isTorn: demuxer.loggedErrorCount > 0
        )
    }

    /// A file that is none of several, as far as its packets tell.
    private static func walked(
        _ source: any ByteSource
    ) throws(MediaError) -> (demuxer: Demuxer, tracks: Tracks) {
        let demuxer = try Demuxer(source)
        var tracks = try Tracks(demuxer, source)
        try tracks.walk(demuxer)
        try tracks.resolveOrder(demuxer, source)
        return (demuxer, tracks)
    }

    private var restartsRemain: Bool {
        var restarts = restarts
        return restarts?.borders().isEmpty == false
    }

    /// The source time of a pts of the leading pictures.
    private func time(_ pts: Int64?, zero: RationalTime) throws(MediaError) -> RationalTime? {
        guard let lead, let pts else { return nil }
        do {
            return try RationalTime(pts, of: lead.timeBase).subtracting(zero)
        } catch {
            throw .unsupported("The file's times are impossible; remux it with ffmpeg -c copy.")
        }
    }
}
