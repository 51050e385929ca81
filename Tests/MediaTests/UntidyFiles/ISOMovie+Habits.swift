/// What untidy files say in their boxes.
extension ISOMovie {
    static func patch(_ bytes: inout [UInt8], _ change: (inout ISOMovie) -> Void) {
        var movie = ISOMovie(bytes)
        change(&movie)
        bytes = movie.bytes
    }

    mutating func setDurations(_ ticks: UInt32, inMedia: Bool = true) {
        changeMoov { moov in
            moov.change(["mvhd"]) { $0.setDuration(ticks) }
            for place in moov.children.indices where moov.children[place].type == "trak" {
                moov.children[place].change(["tkhd"]) { $0.setDuration(ticks) }
                if inMedia { moov.children[place].change(["mdia", "mdhd"]) { $0.setDuration(ticks) } }
            }
        }
    }

    /// Turns the pictures clockwise (ISO/IEC 14496-12, 8.3.2: the matrix of `tkhd`).
    mutating func setTurn(_ degrees: Int) {
        let (one, minus): (UInt64, UInt64) = (0x1_0000, 0xFFFF_0000)
        let numbers: [Int: [UInt64]] = [
            90: [0, one, 0, minus, 0, 0], 180: [minus, 0, 0, 0, minus, 0], 270: [0, minus, 0, one, 0, 0],
        ]
        guard let matrix = numbers[degrees] else { return }
        changeTrack(of: "vide") { track in
            track.change(["tkhd"]) { header in
                header.content.replaceSubrange(40..<64, with: matrix.flatMap { ISOBox.big($0, 4) })
            }
        }
    }

    /// The composition time of the picture that the track's edit list shows first, in ticks of the track; that of its
    /// first sample where it has no list.
    func firstMediaTime(of handler: String) -> Int64 {
        let track = boxes.first { $0.type == "moov" }?.children.first { $0.isTrack(of: handler) }
        if let list = track?["edts", "elst"], list.content.count >= 20 {
            for entry in stride(from: 8, to: list.content.count - 11, by: 12) {
                let time = ISOBox.number(list.content[entry + 4..<entry + 8])
                if time != 0xFFFF_FFFF { return Int64(time) }
            }
        }
        return 0
    }

    /// The samples that the edit list of the sound wants heard; nil without a list, or with fragments.
    package var endOfSound: Int64? {
        guard let moov = boxes.first(where: { $0.type == "moov" }), !boxes.contains(where: { $0.type == "moof" }),
            let track = moov.children.first(where: { $0.isTrack(of: "soun") }),
            let list = track["edts", "elst"], let table = track["mdia", "minf", "stbl", "stts"], list.content.first == 0
        else { return nil }
        let number = { (bytes: [UInt8], offset: Int) in Int64(ISOBox.number(bytes[offset..<offset + 4])) }
        var total: Int64 = 0
        for entry in stride(from: 8, to: table.content.count - 7, by: 8) {
            total += number(table.content, entry) * number(table.content, entry + 4)
        }
        let (scale, movie) = (timescale(of: "soun"), timescale())
        for entry in stride(from: 8, to: list.content.count - 11, by: 12) {
            let (duration, start) = (number(list.content, entry), number(list.content, entry + 4))
            guard start != 0xFFFF_FFFF, movie > 0 else { continue }
            return min(start + (duration * scale + movie / 2) / movie, total) - max(start, opusPreSkip(of: track))
        }
        return nil
    }

    /// What a decoder of Opus leaves out, whether or not the edit list does (Encapsulation of Opus in ISO BMFF, 4.3.2:
    /// PreSkip stands behind version and channels); 0 for other codecs.
    private func opusPreSkip(of track: ISOBox) -> Int64 {
        let entry = track["mdia", "minf", "stbl", "stsd"]?.content ?? []
        let name = Array("dOps".utf8)
        guard let place = entry.indices.first(where: { entry[$0...].starts(with: name) }), place + 8 <= entry.count
        else { return 0 }
        return Int64(ISOBox.number(entry[place + 6..<place + 8]))
    }

    /// What iTunes writes of the samples that are to be heard, in the free-form metadata.
    mutating func addGaplessNote(priming: Int, count: Int) {
        let track = boxes.first { $0.type == "moov" }?.children.first { $0.isTrack(of: "soun") }
        let length = track?["mdia", "mdhd"].map { Int(ISOBox.number($0.content[16..<20])) } ?? 0
        func hex(_ value: Int, _ digits: Int) -> String {
            let text = String(max(value, 0), radix: 16, uppercase: true)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let note = " 00000000 \(hex(priming, 8)) \(hex(length - priming - count, 8)) \(hex(count, 16))"
        let parts = [
            ISOBox("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8)),
            ISOBox("name", [0, 0, 0, 0] + Array("iTunSMPB".utf8)),
            ISOBox("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(note.utf8)),
        ]
        let items = ISOBox("ilst", ISOBox("----", parts.flatMap(\.bytes)).bytes)
        let handler = ISOBox(
            "hdlr",
            [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)
        )
        changeMoov { moov in
            moov.children.removeAll { $0.type == "udta" }
            let meta = ISOBox("meta", [0, 0, 0, 0] + handler.bytes + items.bytes)
            moov.children.append(ISOBox("udta", [], children: [meta]))
        }
    }
}

/// Elements of a Matroska file, found by their IDs (RFC 8794, 5 and 6; RFC 9559, 5).
enum Elements {
    /// Overwrites the first DefaultDuration, in nanoseconds, without a change of its size.
    static func setDefaultDuration(_ nanoseconds: UInt64, in bytes: inout [UInt8]) {
        let end = min(bytes.count - 12, 8192)
        guard
            let place = (0..<max(end, 0)).first(where: {
                bytes[$0] == 0x23 && bytes[$0 + 1] == 0xE3 && bytes[$0 + 2] == 0x83
            })
        else { return }
        let length = Int(bytes[place + 3] & 0x7F)
        guard length <= 8, nanoseconds >> (8 * UInt64(length)) == 0 else { return }
        bytes.replaceSubrange(place + 4..<place + 4 + length, with: ISOBox.big(nanoseconds, length))
    }
}
