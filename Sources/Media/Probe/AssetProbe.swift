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
        var tracks = try Tracks(demuxer, source)
        try tracks.walk(demuxer)
        try tracks.resolveOrder(demuxer, source)
        try tracks.readFirstPictures(source)
        return try tracks.result(demuxer, source)
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

    init(_ demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) {
        byteCount = source.byteCount
        isWave = demuxer.container == "wav"
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
        for sound in sounds {
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
            if let picture = pictures.first(where: \.facts.isDefault) ?? pictures.first, let first = picture.firstPts {
                return try RationalTime(first, of: picture.timeBase)
            }
            guard let sound = sounds.first(where: \.facts.isDefault) ?? sounds.first else { return .zero }
            return try RationalTime(sound.origin, of: sound.timeBase)
        } catch {
            throw .unsupported("The file's first time is impossible; remux it with ffmpeg -c copy.")
        }
    }
}
