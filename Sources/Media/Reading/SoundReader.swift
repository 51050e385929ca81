package import CompositionModel
import Timing

/// Decodes one sound stream: block follows block without hole or overlap, from where it was moved to, to exactly
/// ``AudioStreamFacts/sampleCount``. A stream of several files that were joined is read part by part (``SoundPart``), with
/// silence where no part is. Where damage is, is kept (docs/media.md, "Damage").
package final class SoundReader {
    /// The damage of what was read so far.
    package var damage: SoundDamage { parts.isEmpty ? current?.reader.damage ?? damageOfParts : damageOfParts }
    private var damageOfParts: SoundDamage
    private let source: any ByteSource
    private let facts: AudioStreamFacts
    private let parts: [SoundPart]
    /// The reader of the part that was read last, and the part's number.
    private var current: (number: Int, reader: SoundPartReader)?
    /// One past the last sample delivered of a stream of several parts.
    private var delivered: Int64 = 0

    /// - Throws: ``MediaError`` when the source cannot be opened or its codec is not supported.
    package init(source: any ByteSource, stream: AudioStreamFacts) throws(MediaError) {
        guard stream.hasConsistentParts else {
            throw .invalidIndex("The parts of sound stream \(stream.streamIndex) are wrong; probe the asset again.")
        }
        (self.source, facts) = (source, stream)
        parts = stream.parts ?? []
        damageOfParts = SoundDamage(sampleRate: stream.sampleRate)
        if parts.isEmpty { current = (0, try SoundPartReader(source: source, stream: stream)) }
    }

    /// Goes on at the start of the cell that holds `sample`, unless what comes next is in this cell and not past it.
    /// - Throws: ``MediaError/invalidIndex(_:)`` when the file is not what was probed.
    package func move(to sample: Int64) throws(MediaError) {
        if parts.isEmpty { try current?.reader.move(to: sample) } else { delivered = max(sample, 0) }
    }

    /// - Returns: the next block, nil after the last sample.
    /// - Throws: ``MediaError/decoding(_:)`` when rate or channels change on the way for good, or what the source
    ///   throws.
    package func next() throws(MediaError) -> SoundBlock? {
        parts.isEmpty ? try current?.reader.next() : try nextOfParts()
    }

    private func nextOfParts() throws(MediaError) -> SoundBlock? {
        guard delivered < facts.sampleCount else { return nil }
        let number = parts.partitionPoint { $0.end > delivered }
        guard parts.indices.contains(number) else { return silence(to: facts.sampleCount) }
        let part = parts[number]
        if part.start > delivered { return silence(to: min(part.start, facts.sampleCount)) }
        let wanted = delivered - part.start + part.offset
        let reader = try reader(ofPart: number)
        try reader.move(to: wanted)
        defer { keepDamage(of: part, reader) }
        while let block = try reader.next() {
            let end = min(block.start + Int64(block.count), part.offset + part.count)
            guard end > wanted else { continue }
            let heard = block.keeping(first: Int(end - block.start)).dropping(first: Int(max(wanted - block.start, 0)))
            delivered += Int64(heard.count)
            return SoundBlock(start: delivered - Int64(heard.count), channels: heard.channels)
        }
        // The part is shorter than it was probed: never so with the same bytes.
        return silence(to: part.end)
    }

    private func reader(ofPart number: Int) throws(MediaError) -> SoundPartReader {
        if let current, current.number == number { return current.reader }
        current = nil
        let part = parts[number]
        let reader = try SoundPartReader(source: SlicedByteSource(source, part.bytes), stream: part.stream)
        current = (number, reader)
        return reader
    }

    private func keepDamage(of part: SoundPart, _ reader: SoundPartReader) {
        let heard = part.offset..<part.offset + part.count
        for range in reader.damage.ranges {
            let inside = range.clamped(to: heard)
            guard !inside.isEmpty else { continue }
            let shift = part.start - part.offset
            damageOfParts.add(inside.lowerBound + shift..<inside.upperBound + shift)
        }
    }

    /// Silence, at most a second of it, up to `target`. Between two parts it is a hole, unless it is so short that one part
    /// may have ended with its pictures.
    private func silence(to target: Int64) -> SoundBlock? {
        let before = parts.last { $0.end <= delivered }?.end ?? 0
        let after = parts.first { $0.start > delivered }?.start ?? facts.sampleCount
        if after - before > Int64(facts.sampleRate / 10) { damageOfParts.add(before..<after) }
        let count = Int(min(target - delivered, Int64(facts.sampleRate)))
        defer { delivered += Int64(count) }
        let channel = [Float](repeating: 0, count: count)
        return SoundBlock(start: delivered, channels: Array(repeating: channel, count: facts.channels))
    }
}
