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
    private let reader: ISOBoxReader
    /// The largest free-form box that is read, in bytes.
    private static let mostBytes: Int64 = 65_536

    init(_ source: any ByteSource) { reader = ISOBoxReader(source) }

    /// The texts of all `data` boxes beside a `name` box that says `name`.
    func values(named name: String) throws(MediaError) -> [String] {
        var boxes = try reader.boxes(at: "moov", "udta", "meta")
        // Version and flags stand before what is in `meta`.
        for (type, header) in [("ilst", Int64(4)), ("----", 0)] {
            var inner: [ISOBoxReader.Box] = []
            for box in boxes { inner += try reader.boxes(in: box, after: header).filter { $0.type == type } }
            boxes = inner
        }
        var texts: [String] = []
        for box in boxes where box.content.count <= Self.mostBytes {
            let parts = try reader.boxes(in: box)
            // Version and flags stand before the name; a type and a locale before the data.
            guard let label = parts.first(where: { $0.type == "name" }), try text(label, after: 4) == name else {
                continue
            }
            for part in parts where part.type == "data" { texts.append(try text(part, after: 8)) }
        }
        return texts
    }

    private func text(_ box: ISOBoxReader.Box, after header: Int64) throws(MediaError) -> String {
        String(decoding: try reader.content(of: box).dropFirst(Int(header)), as: UTF8.self)
    }
}
