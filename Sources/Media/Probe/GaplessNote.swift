import CLibAV

/// What iTunes and its kin wrote down of the audible samples of a file with one sound stream, the tag `iTunSMPB`:
/// ` 00000000 PRIMING PADDING COUNT …`, hexadecimal, in samples.
struct GaplessNote: Equatable {
    let priming: Int64
    let padding: Int64
    /// The audible samples, above 0.
    let count: Int64

    /// - Returns: nil unless there are four numbers, the last of them above 0.
    init?(_ text: String) {
        let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
        guard numbers.count == 4, let priming = numbers[1], let padding = numbers[2], let count = numbers[3],
            priming >= 0, padding >= 0, count > 0
        else { return nil }
        (self.priming, self.padding, self.count) = (priming, padding, count)
    }

    /// The note that counts for a stream. A file may hold several, as one that was cut by a program which added its own:
    /// the one whose numbers add up to the stream's length counts, else the first.
    /// - Parameter length: the samples of the stream with priming and padding, as its header (`mdhd`) says.
    static func fitting(_ notes: [GaplessNote], length: Int64?) -> GaplessNote? {
        notes.first { note in
            let sum = note.priming.addingReportingOverflow(note.padding)
            let whole = sum.partialValue.addingReportingOverflow(note.count)
            return !sum.overflow && !whole.overflow && whole.partialValue == length
        } ?? notes.first
    }

    /// All notes of an MP4 or QuickTime file, in its order; libavformat keeps one of them.
    static func all(_ demuxer: Demuxer, _ source: any ByteSource) throws(MediaError) -> [GaplessNote] {
        guard demuxer.isMOV, let entry = av_dict_get(demuxer.raw.pointee.metadata, "iTunSMPB", nil, 0) else {
            return []
        }
        let texts = try MetadataBoxes(source).values(named: "iTunSMPB")
        return (texts.isEmpty ? [String(cString: entry.pointee.value)] : texts).compactMap(GaplessNote.init)
    }
}

/// Reads values of the free-form metadata of an MP4 file (`moov/udta/meta/ilst/----`), of which libavformat keeps one a
/// name.
private struct MetadataBoxes {
    private struct Box {
        let type: String
        /// The bytes of its content in the file.
        let content: Range<Int64>
    }

    private let source: any ByteSource
    /// The largest free-form box that is read, in bytes.
    private static let mostBytes: Int64 = 65_536

    init(_ source: any ByteSource) { self.source = source }

    /// The texts of all `data` boxes beside a `name` box that says `name`.
    func values(named name: String) throws(MediaError) -> [String] {
        var boxes = try boxes(in: 0..<source.byteCount)
        for (type, header) in [("moov", Int64(0)), ("udta", 0), ("meta", 4), ("ilst", 0)] {
            var inner: [Box] = []
            for box in boxes where box.type == type {
                inner += try self.boxes(
                    in: min(box.content.lowerBound + header, box.content.upperBound)..<box.content.upperBound
                )
            }
            boxes = inner
        }
        var texts: [String] = []
        for box in boxes where box.type == "----" && box.content.count <= Self.mostBytes {
            let parts = try self.boxes(in: box.content)
            // Version and flags stand before the name; a type and a locale before the data.
            guard let label = parts.first(where: { $0.type == "name" }), try text(label, after: 4) == name else {
                continue
            }
            for part in parts where part.type == "data" { texts.append(try text(part, after: 8)) }
        }
        return texts
    }

    private func text(_ box: Box, after header: Int64) throws(MediaError) -> String {
        let start = min(box.content.lowerBound + header, box.content.upperBound)
        return String(decoding: try source.bytes(at: start, count: Int(box.content.upperBound - start)), as: UTF8.self)
    }

    /// The boxes side by side in `range`; a damaged one ends them (ISO/IEC 14496-12, 4.2).
    private func boxes(in range: Range<Int64>) throws(MediaError) -> [Box] {
        var (boxes, offset): ([Box], Int64) = ([], range.lowerBound)
        while boxes.count < MediaLimits.boxes, range.upperBound - offset >= 8 {
            let head = try source.bytes(at: offset, count: Int(min(16, range.upperBound - offset)))
            guard head.count >= 8 else { break }
            var (size, length) = (Self.number(head[0..<4]), Int64(8))
            if size == 1, head.count == 16 { (size, length) = (Self.number(head[8..<16]), 16) }
            if size == 0 { size = UInt64(range.upperBound - offset) }
            guard size >= UInt64(length), size <= UInt64(range.upperBound - offset) else { break }
            let end = offset + Int64(size)
            let type = String(decoding: head[4..<8], as: UTF8.self)
            boxes.append(Box(type: type, content: offset + length..<end))
            offset = end
        }
        return boxes
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
