import CLibAV
package import CompositionModel
import Foundation
import Timing

/// Writes one movie: packets are stored in the order they come, nothing is encoded.
///
/// The same packets give the same bytes: no date, no version, no random number is written. In MP4 and QuickTime the index is moved to
/// the front at the end, and hidden samples and reordered pictures get exact edit lists. The caller hands over batches
/// of about two seconds, first of picture, then of sound, which become the chunks of the file.
package final class MovieWriter {
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: Packet
    private let path: String
    private let isInterleaving: Bool
    private let container: Container
    private let sound: AudioTrack?
    private var streams: [Track: (stream: UnsafeMutablePointer<AVStream>, unit: AVRational)] = [:]

    /// Creates or replaces the file at `path` and writes its header.
    /// - Throws: ``MediaError/writing(_:)`` when the file cannot be written or a track does not fit the container.
    package init(
        path: String,
        container: Container,
        video: VideoTrack?,
        audio: AudioTrack?
    ) throws(MediaError) {
        LibAV.prepare()
        self.path = path
        self.container = container
        sound = audio
        var made: UnsafeMutablePointer<AVFormatContext>?
        let code = avformat_alloc_output_context2(&made, nil, container.rawValue, "file:" + path)
        guard let made else { throw .writing("No writer for \(container.rawValue): \(LibAV.text(code)).") }
        context = made
        packet = try Packet()
        isInterleaving = !container.isISOMedia
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        if let video { try add(video) }
        if let audio { try add(audio) }
        try open()
        let scale = MovieTimescale(frameRate: video?.frameRate, sampleRate: audio?.sampleRate)
        try writeHeader(container.options(scale))
    }

    deinit {
        avio_closep(&context.pointee.pb)
        avformat_free_context(context)
    }

    /// Appends one packet. Each track's packets come in decode order.
    /// - Throws: ``MediaError/writing(_:)``, also for a dts that does not rise or lies above its pts.
    package func write(_ packet: EncodedPacket, to track: Track) throws(MediaError) {
        guard let (stream, unit) = streams[track] else {
            throw .writing("A packet came for a track that the movie does not have.")
        }
        try self.packet.fill(packet)
        self.packet.raw.pointee.stream_index = stream.pointee.index
        av_packet_rescale_ts(self.packet.raw, unit, stream.pointee.time_base)
        if track == .audio { try markHidden(packet) }
        let write = isInterleaving ? av_interleaved_write_frame : av_write_frame
        try check(write(context, self.packet.raw), "Packet at \(packet.pts)")
    }

    /// What of a packet is priming or padding, where the container's writer asks packets for it. The one of MP3 takes
    /// the priming from the first packet that says anything.
    private func markHidden(_ packet: EncodedPacket) throws(MediaError) {
        guard let sound, !sound.codec.isLossless else { return }
        let padding = max(0, Int64(sound.frameSize) - packet.duration)
        switch container {
        case .mp3 where packet.pts < 0 || padding > 0:
            try self.packet.markHidden(start: max(0, -packet.pts), end: padding)
        case .ogg where padding > 0, .matroska where padding > 0: try self.packet.markHidden(start: 0, end: padding)
        default: break
        }
    }

    /// Writes the index and closes the file. The bytes are not yet synced to disk.
    /// - Throws: ``MediaError`` when the file cannot be written.
    package func finish() throws(MediaError) {
        try check(av_write_trailer(context), "The index")
        try check(avio_closep(&context.pointee.pb), "The end")
    }

    private func open() throws(MediaError) {
        try check(avio_open(&context.pointee.pb, "file:" + path, AVIO_FLAG_WRITE), "The file")
    }

    private func writeHeader(_ options: [String: String]) throws(MediaError) {
        var dictionary: OpaquePointer?
        defer { av_dict_free(&dictionary) }
        for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
        try check(avformat_write_header(context, &dictionary), "The header")
        if let unused = av_dict_get(dictionary, "", nil, AV_DICT_IGNORE_SUFFIX) {
            throw .writing("This FFmpeg's writer has no option “\(String(cString: unused.pointee.key))”.")
        }
    }

    private func add(_ track: VideoTrack) throws(MediaError) {
        guard let top = Int32(exactly: track.frameRate.numerator),
            let bottom = Int32(exactly: track.frameRate.denominator)
        else { throw .writing("A frame rate of \(track.frameRate) is too fine a fraction for a movie.") }
        let stream = try addStream(.video, unit: AVRational(num: bottom, den: top))
        stream.pointee.avg_frame_rate = AVRational(num: top, den: bottom)
        try stream.pointee.codecpar.pointee.describe(track, in: container)
        // Matroska's writer asks the stream, and pictures of intra codecs do not say it themselves.
        if container == .matroska { stream.pointee.sample_aspect_ratio = track.raster.sampleAspectRatio }
        if let raster = track.raster, raster.degrees != 0 { try stream.turn(raster) }
    }

    private func add(_ track: AudioTrack) throws(MediaError) {
        let stream = try addStream(.audio, unit: AVRational(num: 1, den: Int32(track.sampleRate)))
        try stream.pointee.codecpar.pointee.describe(track)
    }

    private func addStream(_ track: Track, unit: AVRational) throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw .writing("No memory for a track.") }
        stream.pointee.time_base = unit
        streams[track] = (stream, unit)
        return stream
    }

    private func check(_ code: Int32, _ what: String) throws(MediaError) {
        try LibAV.check(code, MediaError.writing, "“\(path)” cannot be written (\(what))")
    }
}

extension Container {
    fileprivate func options(_ scale: MovieTimescale) -> [String: String] {
        guard isISOMedia else {
            let common = ["avoid_negative_ts": "disabled"]
            return self == .wav ? common.merging(["rf64": "auto"]) { first, _ in first } : common
        }
        var options = ["movflags": "+faststart"]
        options["video_track_timescale"] = scale.track.map(String.init)
        options["movie_timescale"] = scale.movie.map(String.init)
        return options
    }
}
