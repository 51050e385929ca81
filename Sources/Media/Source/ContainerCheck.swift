import Foundation

/// What the first bytes of a file, and the sizes of its outermost boxes, say before a demuxer sees them.
///
/// libavformat reads a cut-off file up to the cut without a word; here it is told from the container's own sizes.
struct ContainerCheck {
    private let source: any ByteSource

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// - Throws: ``MediaError/endless(_:)`` for a playlist, ``MediaError/truncated(_:)`` for a file that is shorter
    ///   than it says, ``MediaError/notMedia(_:)`` for an empty one, ``MediaError/protected(_:)`` for a scrambled one,
    ///   ``MediaError/unsupported(_:)`` for an animated WebP, ``MediaError/limitExceeded(_:)`` for a PNG with more text
    ///   than ``MediaLimits/compressedText``.
    func run() throws(MediaError) {
        guard source.byteCount > 0 else { throw .notMedia("The file is empty; give a movie or a sound file.") }
        let head = try source.bytes(at: 0, count: 4096)
        try refusePlaylist(head)
        switch head {
        case _ where isFourCC("ftyp", head, at: 4) || isFourCC("moov", head, at: 4) || isFourCC("mdat", head, at: 4):
            try checkBoxes()
        case _ where head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]): try checkSegment(head)
        case _ where isFourCC("RIFF", head, at: 0):
            try refuseAnimation(head)
            try checkRIFF(head)
        case _ where head.first == 0x47: try refuseScrambled()
        case _ where head.starts(with: [0x89, 0x50, 0x4E, 0x47]): try refuseText()
        default: break
        }
    }

    /// ISO/IEC 13818-1, 2.4.3.2: transport_scrambling_control is 0 in clear packets.
    private func refuseScrambled() throws(MediaError) {
        let head = try source.bytes(at: 0, count: 188 * 2000)
        let packets = stride(from: 0, to: head.count - 187, by: 188)
        guard packets.allSatisfy({ head[$0] == 0x47 }), packets.contains(where: { head[$0 + 3] & 0xC0 != 0 }) else {
            return
        }
        throw .protected("The transport stream is scrambled and cannot be read; use a copy without protection.")
    }

    /// The flag of animation stands in the first byte of the chunk VP8X (WebP container specification, "Extended file
    /// format"). libavcodec decodes still WebP alone.
    private func refuseAnimation(_ head: [UInt8]) throws(MediaError) {
        guard isFourCC("WEBP", head, at: 8), isFourCC("VP8X", head, at: 12), head.count > 20, head[20] & 0x02 != 0
        else { return }
        throw .unsupported("The file is an animated WebP, which cannot be decoded; convert it to a movie first.")
    }

    /// Chunks of a PNG: length, type, contents and a checksum (ISO/IEC 15948, 5.3). libavcodec inflates all text and the
    /// colour profile, to a thousand times their length.
    private func refuseText() throws(MediaError) {
        var (offset, length): (Int64, Int64) = (8, 0)
        for _ in 0..<MediaLimits.boxes where offset + 12 <= source.byteCount {
            let head = try source.bytes(at: offset, count: 8)
            let size = bigEndian(head, 0..<4)
            var isCompressed = isFourCC("zTXt", head, at: 4) || isFourCC("iCCP", head, at: 4)
            if isFourCC("iTXt", head, at: 4) { isCompressed = try isInflated(textAt: offset + 8) }
            if isCompressed { length += min(size, source.byteCount - offset - 12) }
            offset += 12 + size
        }
        guard length > MediaLimits.compressedText else { return }
        throw .limitExceeded(
            "The picture carries \(length) bytes of compressed text and profiles, more than "
                + "\(MediaLimits.compressedText); remove them, as with exiftool -all= FILE."
        )
    }

    /// An iTXt chunk begins with a keyword of up to 79 bytes, a zero, and the flag of compression (11.3.4.5).
    private func isInflated(textAt offset: Int64) throws(MediaError) -> Bool {
        let head = try source.bytes(at: offset, count: 81)
        guard let end = head.firstIndex(of: 0), end + 1 < head.count else { return false }
        return head[end + 1] != 0
    }

    private func refusePlaylist(_ head: [UInt8]) throws(MediaError) {
        let text = String(decoding: head, as: UTF8.self)
        guard text.hasPrefix("#EXTM3U") || text.contains("<MPD") else { return }
        throw .endless("This is a playlist of a stream, not a movie; record it to a file and give that.")
    }

    /// The outermost boxes of ISO/IEC 14496-12: size, type, and a 64-bit size where the first is 1.
    private func checkBoxes() throws(MediaError) {
        var (offset, hasIndex, isCut): (Int64, Bool, Bool) = (0, false, false)
        for _ in 0..<MediaLimits.boxes {
            if offset + 8 > source.byteCount { break }
            let head = try source.bytes(at: offset, count: 16)
            guard head[4..<8].allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0xA9 }) else { break }
            var size = bigEndian(head, 0..<4)
            if size == 1, head.count == 16 { size = bigEndian(head, 8..<16) }
            if size == 0 { size = source.byteCount - offset }
            guard size >= 8 else { break }
            let isIndex = isFourCC("moov", head, at: 4)
            hasIndex = hasIndex || isIndex
            let holdsMedia = isIndex || ["mdat", "moof"].contains { isFourCC($0, head, at: 4) }
            let (end, overflows) = offset.addingReportingOverflow(size)
            isCut = isCut || (holdsMedia && (overflows || end > source.byteCount))
            if overflows { break }
            offset = end
        }
        guard hasIndex else { throw truncated("its index (moov) is missing") }
        if isCut { throw truncated("it ends inside a box") }
    }

    /// Matroska: the one Segment's size, where it is known (RFC 8794, 6: all ones is unknown).
    private func checkSegment(_ head: [UInt8]) throws(MediaError) {
        guard let header = elementSize(head, at: 4) else { return }
        let start = 4 + header.length + Int(clamping: header.value)
        guard start + 12 <= head.count, head[start..<(start + 4)].elementsEqual([0x18, 0x53, 0x80, 0x67]),
            let segment = elementSize(head, at: start + 4)
        else { return }
        let end = Int64(start + 4 + segment.length).addingReportingOverflow(segment.value)
        if !end.overflow && end.partialValue > source.byteCount { throw truncated("it ends inside its segment") }
    }

    private func elementSize(_ head: [UInt8], at offset: Int) -> (length: Int, value: Int64)? {
        guard offset < head.count, head[offset] != 0 else { return nil }
        let length = head[offset].leadingZeroBitCount + 1
        guard offset + length <= head.count else { return nil }
        let value = bigEndian(head, offset..<(offset + length)) & ((1 << (7 * Int64(length))) - 1)
        return value == (1 << (7 * Int64(length))) - 1 ? nil : (length, value)
    }

    /// WAV and AVI: 0 and all ones mean “not known when it was written”.
    private func checkRIFF(_ head: [UInt8]) throws(MediaError) {
        guard head.count >= 8 else { return }
        let size = head[4..<8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard size != 0, size != 0xFFFF_FFFF, size + 8 > source.byteCount + 1 else { return }
        throw truncated("it ends before its RIFF chunk does")
    }

    private func truncated(_ why: String) -> MediaError {
        .truncated("The file is cut off: \(why); copy or record it again.")
    }

    private func isFourCC(_ text: String, _ head: [UInt8], at offset: Int) -> Bool {
        head.count >= offset + 4 && head[offset..<(offset + 4)].elementsEqual(text.utf8)
    }

    private func bigEndian(_ bytes: [UInt8], _ range: Range<Int>) -> Int64 {
        Int64(bitPattern: bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
