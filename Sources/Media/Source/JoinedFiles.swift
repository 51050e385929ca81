import Foundation

/// Finds the files of which a file of sound alone consists, where several were joined byte by byte. libavformat reads the
/// first of them, or takes the times of the next ones for those of the first.
///
/// WavPack that is damaged or cut off consists of the runs of its whole blocks: libavformat reads up to the first that is
/// not whole, and refuses the file there.
struct JoinedFiles {
    /// A file, or what comes of one without a break.
    struct Piece: Equatable {
        var bytes: Range<Int64>
        /// It belongs to the same file as the piece before, and this many samples lie between them; nil for a file's
        /// beginning.
        var missing: Int64?
    }

    /// Files in one that are read.
    static let limit = 1000
    private let source: any ByteSource
    /// Bytes read at a time.
    private static let blockSize = 1 << 20

    init(_ source: any ByteSource) { self.source = source }

    /// - Returns: the pieces in order; a single one with all bytes for a file that is no such.
    /// - Throws: ``MediaError/limitExceeded(_:)``, ``MediaError/truncated(_:)``, or what the source throws.
    func pieces() throws(MediaError) -> [Piece] {
        let head = try source.bytes(at: 0, count: 10)
        let pieces: [Piece]
        switch head {
        case _ where head.starts(with: "OggS".utf8): pieces = files(startingAt: try oggLinks())
        case _ where head.starts(with: "wvpk".utf8): pieces = try wavPackRuns()
        case _ where try isFLAC(head): pieces = files(startingAt: try flacFiles())
        default: pieces = files(startingAt: [])
        }
        guard pieces.count <= Self.limit else {
            throw .limitExceeded(
                "The file consists of \(pieces.count) pieces, one behind the other, and at most \(Self.limit) are read; "
                    + "split it."
            )
        }
        return pieces
    }

    private func files(startingAt starts: [Int64]) -> [Piece] {
        // What stands before the first is its tag.
        let borders = [0] + starts.dropFirst() + [max(source.byteCount, 0)]
        return zip(borders, borders.dropFirst()).map { Piece(bytes: $0..<$1) }
    }

    // MARK: Ogg

    /// Where links begin (RFC 3533, 4 and 6): with pages that begin streams, behind pages that do not.
    private func oggLinks() throws(MediaError) -> [Int64] {
        var (starts, offset, isHead): ([Int64], Int64, Bool) = ([], 0, false)
        while offset + 27 <= source.byteCount {
            let head = try source.bytes(at: offset, count: 27 + 255)
            guard head.starts(with: "OggS".utf8), head.count >= 27 + Int(head[26]) else {
                guard let found = try find(Array("OggS".utf8), from: offset + 1) else { break }
                offset = found
                continue
            }
            let table = head[27..<27 + Int(head[26])]
            let size = 27 + table.count + table.reduce(0) { $0 + Int($1) }
            let begins = head[5] & 2 != 0 ? try isWhole(offset, size) : false
            if begins, !isHead { starts.append(offset) }
            isHead = begins
            offset += Int64(size)
        }
        return starts
    }

    /// Whether the checksum of a page is right: a wrong bit begins no stream.
    private func isWhole(_ offset: Int64, _ size: Int) throws(MediaError) -> Bool {
        var page = try source.bytes(at: offset, count: size)
        guard page.count == size else { return false }
        let sum = page[22..<26].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
        return sum == page.reduce(UInt32(0)) { Self.checksum($0, $1) }
    }

    /// The polynomial of Ogg, without reflection (RFC 3533, 6).
    private static func checksum(_ sum: UInt32, _ byte: UInt8) -> UInt32 {
        (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31) * 0x04C1_1DB7 }
    }

    // MARK: FLAC

    /// A tag of ID3v2, whose size has 7 bits a byte, may stand before it.
    private func isFLAC(_ head: [UInt8]) throws(MediaError) -> Bool {
        if head.starts(with: "fLaC".utf8) { return true }
        guard head.count == 10, head.starts(with: "ID3".utf8) else { return false }
        let size = head[6...].reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
        return try source.bytes(at: 10 + size, count: 4).elementsEqual("fLaC".utf8)
    }

    /// Where FLAC files begin: the marker, and the header of STREAMINFO, which is the first block and has 34 bytes
    /// (RFC 9639, 8.1 and 8.2).
    private func flacFiles() throws(MediaError) -> [Int64] {
        var (starts, offset): ([Int64], Int64) = ([], 0)
        while let found = try find(Array("fLaC".utf8), from: offset) {
            let header = try source.bytes(at: found + 4, count: 4)
            if header.count == 4, header[0] & 0x7F == 0, header[1...].elementsEqual([0, 0, 34]) {
                starts.append(found)
            }
            offset = found + 4
        }
        return starts
    }

    // MARK: WavPack

    /// The header of a WavPack block.
    private struct Block {
        let size: Int64
        /// The number of its first sample in its file.
        let index: Int64
        let count: Int64
        /// It is the last, or the only one, of those that hold the channels of the same samples.
        let isFinal: Bool

        init?(_ head: [UInt8]) {
            func number(_ range: Range<Int>) -> Int64 { head[range].reversed().reduce(0) { $0 << 8 | Int64($1) } }
            guard head.count == 32, head.starts(with: "wvpk".utf8), (0x402...0x410).contains(number(8..<10)) else {
                return nil
            }
            (size, count, isFinal) = (8 + number(4..<8), number(20..<24), head[25] & 0x10 != 0)
            index = number(10..<11) << 32 | number(16..<20)
            guard (32...1 << 26).contains(size) else { return nil }
        }
    }

    /// Blocks that follow each other, in bytes and in samples.
    private func wavPackRuns() throws(MediaError) -> [Piece] {
        var pieces: [Piece] = []
        /// Where the run began; the end of its last whole block; and the sample that comes next.
        var run: (start: Int64, end: Int64, next: Int64, missing: Int64?)?
        func finish() {
            if let run, run.end > run.start { pieces.append(Piece(bytes: run.start..<run.end, missing: run.missing)) }
        }
        var (offset, next): (Int64, Int64?) = (0, nil)
        while offset < source.byteCount {
            guard let block = try wholeBlock(at: offset) else {
                finish()
                (next, run) = (run?.next ?? next, nil)
                guard let found = try find(Array("wvpk".utf8), from: offset + 1) else { break }
                offset = found
                continue
            }
            if block.count > 0, let known = run, block.index != known.next, known.next > 0 {
                finish()
                (next, run) = (known.next, nil)
            }
            if run == nil {
                let missing = next.flatMap { $0 > 0 && block.index >= $0 ? block.index - $0 : nil }
                run = (offset, offset, block.index, missing)
            }
            offset += block.size
            guard block.isFinal || block.count == 0 else { continue }
            run?.end = offset
            if block.count > 0 { run?.next = block.index + block.count }
        }
        finish()
        guard let last = pieces.last else {
            throw .truncated("The file is cut off: it ends inside its first block; copy or record it again.")
        }
        if try isTag(from: last.bytes.upperBound) {
            pieces[pieces.count - 1].bytes = last.bytes.lowerBound..<source.byteCount
        }
        return pieces
    }

    private func wholeBlock(at offset: Int64) throws(MediaError) -> Block? {
        guard let block = Block(try source.bytes(at: offset, count: 32)) else { return nil }
        return offset + block.size <= source.byteCount ? block : nil
    }

    /// Whether the file ends with a whole tag of APEv2 that begins at `offset`: libavformat knows it by its footer.
    private func isTag(from offset: Int64) throws(MediaError) -> Bool {
        guard source.byteCount - offset >= 32 else { return false }
        let (head, foot) = (
            try source.bytes(at: offset, count: 8), try source.bytes(at: source.byteCount - 32, count: 8)
        )
        return [head, foot].allSatisfy { $0.elementsEqual("APETAGEX".utf8) }
    }

    // MARK: Search

    /// The next place of `wanted` at or behind `start`.
    private func find(_ wanted: [UInt8], from start: Int64) throws(MediaError) -> Int64? {
        var offset = start
        while offset + Int64(wanted.count) <= source.byteCount {
            let block = try source.bytes(at: offset, count: Self.blockSize)
            if let place = Self.place(of: wanted, in: block) { return offset + Int64(place) }
            // The last bytes may be the beginning of it.
            guard block.count == Self.blockSize else { return nil }
            offset += Int64(block.count - wanted.count + 1)
        }
        return nil
    }

    private static func place(of wanted: [UInt8], in block: [UInt8]) -> Int? {
        block.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let first = wanted.first else { return nil }
            var place = 0
            while place + wanted.count <= bytes.count,
                let found = memchr(base + place, Int32(first), bytes.count - place - wanted.count + 1)
            {
                place = base.distance(to: UnsafeRawPointer(found))
                if bytes[place..<place + wanted.count].elementsEqual(wanted) { return place }
                place += 1
            }
            return nil
        }
    }
}
