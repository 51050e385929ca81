public import Shared

/// Decodes one sound stream in the cells that its facts name (``SoundCells``), or linearly from its start where they name
/// none (FFMPEG.md §8: some codecs are exact in no other way).
///
/// Blocks follow each other without hole or overlap from sample 0, or from where a cell begins, to exactly
/// ``AudioStreamFacts/sampleCount``: priming and padding are removed, gaps of the timestamps arrive as silence, overlaps
/// are dropped.
public final class SoundReader {
    private let facts: AudioStreamFacts
    private let packets: SoundPackets
    private var decoder: SoundDecoder
    private var cell = 0
    private var clock: SoundClock?
    /// One past the last sample delivered, counted from the first audible one.
    private var delivered: Int64 = 0
    /// Decoded, but behind a gap that is still being filled.
    private var waiting: SoundBlock?

    /// - Throws: ``MediaError`` when the source cannot be opened or its codec is not supported.
    public init(source: any ByteSource, stream: AudioStreamFacts) throws(MediaError) {
        guard stream.cells?.isConsistent ?? true else {
            throw .invalidIndex("The cells of sound stream \(stream.streamIndex) are wrong; probe the asset again.")
        }
        facts = stream
        packets = try SoundPackets(source, streamIndex: stream.streamIndex, lead: stream.cells?.lead ?? 0)
        decoder = try SoundDecoder(packets, streamIndex: stream.streamIndex)
    }

    /// Goes on at the start of the cell that holds `sample`, unless what comes next is in this cell and not past it.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when the file is not what was probed.
    public func move(to sample: Int64) throws(MediaError) {
        let wanted = facts.cells?.cell(of: sample) ?? 0
        if wanted != cell || delivered > max(sample, 0) { try open(wanted) }
    }

    /// - Returns: the next block, nil after the last sample.
    /// - Throws: ``MediaError/decoding(_:)`` when rate or channels change on the way, or what the source throws.
    public func next() throws(MediaError) -> SoundBlock? {
        if delivered >= facts.sampleCount { return nil }
        if delivered >= cellEnd { try open(cell + 1) }
        let end = cellEnd
        if waiting == nil { waiting = try decode() }
        guard let block = waiting else { return silence(to: end) }
        if block.start > delivered { return silence(to: min(block.start, end)) }
        waiting = nil
        let room = end - delivered
        delivered += min(room, Int64(block.count))
        return room < Int64(block.count) ? block.keeping(first: Int(room)) : block
    }

    private var cellEnd: Int64 { min(facts.cells?.end(ofCell: cell) ?? .max, facts.sampleCount) }

    private func open(_ number: Int) throws(MediaError) {
        if let cells = facts.cells, number > 0 {
            try packets.move(to: .init(cells, cell: number), isNear: number == cell + 1)
            decoder = try SoundDecoder(packets, streamIndex: facts.streamIndex, lead: cells.lead)
            clock = SoundClock(
                timeBase: decoder.timeBase,
                sampleRate: facts.sampleRate,
                origin: cells.origin,
                next: cells.start(ofCell: number)
            )
        } else {
            try packets.restart()
            decoder = try SoundDecoder(packets, streamIndex: facts.streamIndex)
            clock = nil
        }
        cell = number
        delivered = facts.cells?.start(ofCell: number) ?? 0
        waiting = nil
    }

    /// The next decoded block that has something after what was delivered.
    private func decode() throws(MediaError) -> SoundBlock? {
        while let decoded = try decoder.next() {
            try decoder.require(channels: facts.channels, sampleRate: facts.sampleRate, of: decoded)
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
            ?? SoundClock(timeBase: decoder.timeBase, sampleRate: facts.sampleRate, origin: decoded.pts ?? 0)
        // After a seek by bytes times count from anywhere.
        let pts = cell > 0 && facts.cells?.isByPosition == true ? nil : decoded.pts
        let start = clock.place(pts: pts, count: Int64(decoded.count))
        self.clock = clock
        return SoundBlock(start: start, channels: decoded.channels)
    }

    /// At most a second of silence, up to `target`.
    private func silence(to target: Int64) -> SoundBlock? {
        guard target > delivered else { return nil }
        let count = Int(min(target - delivered, Int64(facts.sampleRate)))
        defer { delivered += Int64(count) }
        let channel = [Float](repeating: 0, count: count)
        return SoundBlock(start: delivered, channels: Array(repeating: channel, count: facts.channels))
    }
}
