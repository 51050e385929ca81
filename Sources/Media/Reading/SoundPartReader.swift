import CompositionModel

/// Decodes one sound stream in the cells that its facts name (``SoundCells``), or linearly from its start where they
/// name none (codecs that draw on a generator are exact in no other way).
///
/// Blocks follow each other without hole or overlap from sample 0, or from where a cell begins, to exactly
/// ``AudioStreamFacts/sampleCount``: priming and padding are removed, gaps of the timestamps arrive as silence,
/// overlaps are dropped. Damage stops nothing (docs/media.md, "Damage"): where it is, is kept.
final class SoundPartReader {
    /// The damage of what was read so far.
    private(set) var damage: SoundDamage
    private let facts: AudioStreamFacts
    private var format: SoundFormat
    private let packets: SoundPackets
    private var decoder: SoundDecoder
    private var cell = 0
    private var clock: SoundClock?
    /// One past the last sample delivered, counted from the first audible one.
    private var delivered: Int64 = 0
    /// Decoded, but behind a gap that is still being filled.
    private var waiting: SoundBlock?

    /// - Throws: ``MediaError`` when the source cannot be opened or its codec is not supported.
    init(source: any ByteSource, stream: AudioStreamFacts) throws(MediaError) {
        guard stream.cells?.isConsistent ?? true else {
            throw .invalidIndex("The cells of sound stream \(stream.streamIndex) are wrong; probe the asset again.")
        }
        facts = stream
        format = SoundFormat(channels: stream.channels, sampleRate: stream.sampleRate, start: stream.start)
        damage = SoundDamage(sampleRate: stream.sampleRate)
        packets = try SoundPackets(source, streamIndex: stream.streamIndex, preRoll: stream.cells?.preRoll ?? 0)
        decoder = try SoundDecoder(packets, streamIndex: stream.streamIndex)
        endWithCell()
    }

    /// Goes on at the start of the cell that holds `sample`, unless what comes next is in this cell and not past it.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when the file is not what was probed.
    func move(to sample: Int64) throws(MediaError) {
        let wanted = facts.cells?.cell(of: sample) ?? 0
        if wanted != cell || delivered > max(sample, 0) { try open(wanted) }
    }

    /// - Returns: the next block, nil after the last sample.
    /// - Throws: ``MediaError/decoding(_:)`` when rate or channels change on the way for good, or what the source
    ///   throws.
    func next() throws(MediaError) -> SoundBlock? {
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
            decoder = try SoundDecoder(packets, streamIndex: facts.streamIndex, preRoll: cells.preRoll)
            clock = SoundClock(
                timeBase: decoder.timeBase,
                sampleRate: facts.sampleRate,
                origin: cells.origin,
                jitter: facts.timeJitter ?? 0,
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
        format = SoundFormat(channels: facts.channels, sampleRate: facts.sampleRate, start: facts.start)
        endWithCell()
    }

    /// Where nothing can be decoded, no cell reads further than a second behind its end: else each would read all the
    /// rest.
    private func endWithCell() {
        guard let cells = facts.cells, let end = cells.end(ofCell: cell) else { return }
        let limit = end + Int64(facts.sampleRate)
        let clock = SoundClock(timeBase: decoder.timeBase, sampleRate: facts.sampleRate, origin: cells.origin)
        guard cells.isByPosition == true, cell > 0 else {
            decoder.isBehind = { packet in packet.pts.map { clock.sample(at: $0) >= limit } ?? false }
            return
        }
        let start = cells.start(ofCell: cell)
        var elapsed: Int64 = 0
        decoder.onPacket = { elapsed += $0.duration }
        decoder.isBehind = { _ in start + clock.sample(at: clock.origin + elapsed) >= limit }
    }

    /// The next decoded block that has something after what was delivered.
    private func decode() throws(MediaError) -> SoundBlock? {
        var lost: Int64 = 0
        while let decoded = try decoder.next() {
            let expected = clock?.expected ?? delivered
            lost += decoded.lost
            guard try format.admits(decoded, at: expected) else {
                lost += 1
                continue
            }
            let block = place(decoded, lost: lost)
            note(decoded, block, after: expected, lost)
            lost = 0
            let overlap = delivered - block.start
            if overlap <= 0 { return block }
            if overlap < Int64(block.count) { return block.dropping(first: Int(overlap)) }
        }
        let end = max(clock?.expected ?? 0, delivered)
        if lost + decoder.lost > 0 { note(end..<Int64.max) }
        if decoder.isDamaged { note(max(end - 1, 0)..<Int64.max) }
        return nil
    }

    private func place(_ decoded: SoundDecoder.Decoded, lost: Int64) -> SoundBlock {
        var clock =
            self.clock
            ?? SoundClock(
                timeBase: decoder.timeBase,
                sampleRate: facts.sampleRate,
                origin: decoded.pts ?? 0,
                jitter: facts.timeJitter ?? 0
            )
        let count = Int64(decoded.count)
        let start: Int64
        if let cells = facts.cells, cells.isByPosition == true, cell > 0 {
            // After a seek by bytes times count from anywhere; packets are of one length there.
            let wanted = decoded.packet.map { cells.start(ofCell: cell) + $0 * count }
            start = clock.place(at: wanted, count: count, lost: lost)
        } else {
            start = clock.place(pts: decoded.pts, count: count, lost: lost)
        }
        self.clock = clock
        return SoundBlock(start: start, channels: decoded.channels)
    }

    /// What is wrong with a block, and between it and the one before.
    private func note(_ decoded: SoundDecoder.Decoded, _ block: SoundBlock, after expected: Int64, _ lost: Int64) {
        let isHole = lost > 0 || block.start > expected && packets.isWithoutHoles(facts.codec)
        if isHole { note(min(expected, block.start)..<max(block.start, expected + 1)) }
        if decoded.isDamaged { note(block.start..<block.start + Int64(block.count)) }
    }

    /// What lies in other cells is found there.
    private func note(_ range: Range<Int64>) {
        damage.add(range.clamped(to: (facts.cells?.start(ofCell: cell) ?? 0)..<max(cellEnd, delivered)))
    }

    /// Silence, at most a second of it, up to `target`.
    private func silence(to target: Int64) -> SoundBlock? {
        guard target > delivered else { return nil }
        let count = Int(min(target - delivered, Int64(facts.sampleRate)))
        defer { delivered += Int64(count) }
        let channel = [Float](repeating: 0, count: count)
        return SoundBlock(start: delivered, channels: Array(repeating: channel, count: facts.channels))
    }
}
