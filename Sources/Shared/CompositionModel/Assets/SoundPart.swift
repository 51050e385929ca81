/// A part of a sound stream that is a file of its own inside the file: several files were joined byte by byte, or a piece
/// between two of them is damaged. Each part is opened and decoded as if there were nothing else.
/// ```
/// bytes     |       first part      |      second part      |
/// samples   0 ─ part 0 ─ count ─────▶ start ─ part 1 ───────▶
/// ```
package struct SoundPart: Sendable, Hashable, Codable {
    /// The bytes of the part, from the start of the file.
    package var bytes: Range<Int64>
    /// The sample of the whole stream with which the part begins to be heard.
    package var start: Int64
    /// The sample of the part that is heard first: what lies before it belongs to the part before.
    package var offset: Int64
    /// The number of samples that are heard, at least 1.
    package var count: Int64
    /// The stream as the part alone has it.
    package var stream: AudioStreamFacts

    package init(bytes: Range<Int64>, start: Int64, offset: Int64 = 0, count: Int64, stream: AudioStreamFacts) {
        (self.bytes, self.start, self.offset, self.count, self.stream) = (bytes, start, offset, count, stream)
    }

    /// One past the last sample of the whole stream that is heard of it.
    package var end: Int64 { start + count }
}

extension AudioStreamFacts {
    /// Whether ``parts`` are in order, of the stream's format and without parts of their own, as far as can be seen
    /// without the file.
    package var hasConsistentParts: Bool {
        guard let parts else { return true }
        let limit: Int64 = 1 << 61
        let areSound = parts.allSatisfy { part in
            part.stream.parts == nil && part.stream.sampleRate == sampleRate && part.stream.channels == channels
                && part.bytes.lowerBound >= 0 && 0..<limit ~= part.start && 0..<limit ~= part.offset
                && 1..<limit ~= part.count && 0..<limit ~= part.stream.sampleCount
        }
        return areSound && zip(parts, parts.dropFirst()).allSatisfy { $0.end <= $1.start }
    }

    /// The cells of all parts, as cells of the whole; nil where a long part can only be decoded from its start.
    package static func cells(of parts: [SoundPart]) -> SoundCells? {
        guard let first = parts.first else { return nil }
        var cells = SoundCells(preRoll: 0, origin: 0, isByPosition: nil)
        for part in parts {
            let isShort = part.count <= 2 * Int64(SoundCells.seconds) * Int64(part.stream.sampleRate)
            guard isShort || part.stream.cells != nil else { return nil }
            var entries = [(start: part.start, time: Int64(0), position: part.bytes.lowerBound)]
            if let own = part.stream.cells {
                for (number, start) in own.starts.enumerated()
                where start > part.offset && start < part.offset + part.count {
                    let position = own.entryPositions[number]
                    entries.append(
                        (
                            start: part.start + start - part.offset, time: own.entryTimes[number],
                            position: position < 0 ? position : part.bytes.lowerBound + position
                        )
                    )
                }
            }
            for entry in entries where entry.start > first.start {
                cells.starts.append(entry.start)
                cells.entryTimes.append(entry.time)
                cells.entryPositions.append(entry.position)
            }
        }
        return cells
    }
}
