public import Shared

/// Decodes one sound stream linearly from its start (FFMPEG.md §8: some codecs are exact in no other way).
///
/// Blocks follow each other without hole or overlap from sample 0 to exactly ``AudioStreamFacts/sampleCount``: priming
/// and padding are removed, gaps of the timestamps arrive as silence, overlaps are dropped.
public final class SoundReader {
    private let decoder: SoundDecoder
    private let channelCount: Int
    private let streamIndex: Int
    private let sampleRate: Int
    /// One past the last sample delivered, counted from the first audible one.
    private let end: Int64?
    private var clock: SoundClock?
    private var delivered: Int64 = 0
    /// Decoded, but behind a gap that is still being filled.
    private var waiting: SoundBlock?

    /// - Throws: ``MediaError`` when the source cannot be opened or its codec is not supported.
    public convenience init(source: any ByteSource, stream: AudioStreamFacts) throws(MediaError) {
        try self.init(
            decoder: SoundDecoder(source, streamIndex: stream.streamIndex),
            streamIndex: stream.streamIndex,
            sampleRate: stream.sampleRate,
            channels: stream.channels,
            end: stream.sampleCount
        )
    }

    /// - Parameter end: nil reads to wherever decoding ends, which is how probing counts.
    init(decoder: SoundDecoder, streamIndex: Int, sampleRate: Int, channels: Int, end: Int64?) throws(MediaError) {
        self.decoder = decoder
        self.streamIndex = streamIndex
        self.sampleRate = sampleRate
        channelCount = channels
        self.end = end
    }

    /// - Returns: the next block, nil after the last sample.
    /// - Throws: ``MediaError/decoding(_:)`` when rate or channels change on the way, or what the source throws.
    public func next() throws(MediaError) -> SoundBlock? {
        if let end, delivered >= end { return nil }
        if waiting == nil { waiting = try decode() }
        guard let block = waiting else { return silence(to: end) }
        if block.start > delivered { return silence(to: min(block.start, end ?? block.start)) }
        waiting = nil
        let room = end.map { $0 - delivered } ?? Int64(block.count)
        delivered += min(room, Int64(block.count))
        return room < Int64(block.count) ? block.keeping(first: Int(room)) : block
    }

    /// The next decoded block that has something after what was delivered.
    private func decode() throws(MediaError) -> SoundBlock? {
        while let decoded = try decoder.next() {
            try checkFormat(decoded)
            let block = place(decoded)
            let overlap = delivered - block.start
            if overlap <= 0 { return block }
            if overlap < Int64(block.count) { return block.dropping(first: Int(overlap)) }
        }
        return nil
    }

    private func place(_ decoded: SoundDecoder.Decoded) -> SoundBlock {
        var clock =
            self.clock
            ?? SoundClock(timeBase: decoder.timeBase, sampleRate: sampleRate, origin: decoded.pts ?? 0)
        let start = clock.place(pts: decoded.pts, count: Int64(decoded.channels.first?.count ?? 0))
        self.clock = clock
        return SoundBlock(start: start, channels: decoded.channels)
    }

    private func checkFormat(_ decoded: SoundDecoder.Decoded) throws(MediaError) {
        guard decoded.channels.count == channelCount, decoder.sampleRate == sampleRate else {
            throw .decoding(
                "Sound stream \(streamIndex) changes from \(channelCount) channels at \(sampleRate) Hz to "
                    + "\(decoded.channels.count) at \(decoder.sampleRate); convert it to one format first."
            )
        }
    }

    /// At most a second of silence, up to `target`; nil when nothing is missing.
    private func silence(to target: Int64?) -> SoundBlock? {
        guard let target, target > delivered else { return nil }
        let count = Int(min(target - delivered, Int64(sampleRate)))
        defer { delivered += Int64(count) }
        let channel = [Float](repeating: 0, count: count)
        return SoundBlock(start: delivered, channels: Array(repeating: channel, count: channelCount))
    }
}
