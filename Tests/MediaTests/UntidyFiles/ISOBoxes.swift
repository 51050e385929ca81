import Foundation
import TestSupport

/// The boxes of an MP4 or QuickTime file as a tree that can be changed and written again (ISO/IEC 14496-12, 4.2).
package struct ISOBox: Sendable {
    package var type: String
    /// The content, without what is in ``children``.
    package var content: [UInt8]
    package var children: [ISOBox]

    private static let parents: Set<String> = ["moov", "trak", "mdia", "minf", "stbl", "edts", "udta"]

    package init(_ type: String, _ content: [UInt8], children: [ISOBox] = []) {
        (self.type, self.content, self.children) = (type, content, children)
    }

    package static func read(_ bytes: ArraySlice<UInt8>) -> [ISOBox] {
        var (boxes, rest) = ([ISOBox](), bytes)
        while rest.count >= 8 {
            var (size, header) = (Int(number(rest.prefix(4))), 8)
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            if size == 1 { (size, header) = (Int(number(rest.dropFirst(8).prefix(8))), 16) }
            if size == 0 || size > rest.count { size = rest.count }
            guard size >= header else { break }
            let content = rest.prefix(size).dropFirst(header)
            if parents.contains(type) {
                boxes.append(ISOBox(type, [], children: read(content)))
            } else {
                boxes.append(ISOBox(type, Array(content)))
            }
            rest = rest.dropFirst(size)
        }
        return boxes
    }

    package var bytes: [UInt8] {
        let inner = content + children.flatMap(\.bytes)
        return ISOBox.big(UInt64(inner.count + 8), 4) + Array(type.utf8) + inner
    }

    package static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    package static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// The first box at `path` below this one.
    package subscript(path: String...) -> ISOBox? {
        path.reduce(Optional(self)) { box, type in box?.children.first { $0.type == type } }
    }

    /// Changes the first box at `path` below this one; nothing where there is none.
    package mutating func change(_ path: [String], _ change: (inout ISOBox) -> Void) {
        guard let type = path.first else { return change(&self) }
        guard let place = children.firstIndex(where: { $0.type == type }) else { return }
        children[place].change(Array(path.dropFirst()), change)
    }

    /// Whether a track's handler is `vide` or `soun`.
    package func isTrack(of handler: String) -> Bool {
        type == "trak" && self["mdia", "hdlr"].map { Array($0.content[8..<12]) == Array(handler.utf8) } ?? false
    }

    /// Writes `duration` into a version 0 header (`mvhd`, `tkhd`, `mdhd`).
    package mutating func setDuration(_ duration: UInt32) {
        let offset = type == "tkhd" ? 20 : 16
        guard content.first == 0, content.count >= offset + 4 else { return }
        content.replaceSubrange(offset..<offset + 4, with: ISOBox.big(UInt64(duration), 4))
    }
}

/// Changes the tables of a movie whose `moov` stands at its end, so that no offset moves.
package struct ISOMovie {
    package var boxes: [ISOBox]

    package init(_ bytes: [UInt8]) { boxes = ISOBox.read(bytes[...]) }
    package var bytes: [UInt8] { boxes.flatMap(\.bytes) }

    private var moov: Int? { boxes.firstIndex { $0.type == "moov" } }

    package mutating func changeMoov(_ change: (inout ISOBox) -> Void) {
        if let moov { change(&boxes[moov]) }
    }

    /// Changes the track of pictures (`vide`) or sound (`soun`).
    package mutating func changeTrack(of handler: String, _ change: (inout ISOBox) -> Void) {
        guard let moov, let track = boxes[moov].children.firstIndex(where: { $0.isTrack(of: handler) }) else { return }
        change(&boxes[moov].children[track])
    }

    /// One entry of an edit list (ISO/IEC 14496-12, 8.6.6): durations in the movie's timescale, the media time in the
    /// track's, −1 for none.
    package struct Edit: Sendable {
        package var duration: Int64
        package var mediaTime: Int64
        package var rate: UInt16 = 1

        package init(duration: Int64, mediaTime: Int64, rate: UInt16 = 1) {
            (self.duration, self.mediaTime, self.rate) = (duration, mediaTime, rate)
        }
    }

    package mutating func setEdits(_ edits: [Edit], of handler: String) {
        var entries: [UInt8] = []
        for edit in edits {
            entries += ISOBox.big(UInt64(edit.duration), 4) + ISOBox.big(UInt64(bitPattern: edit.mediaTime), 4)
            entries += ISOBox.big(UInt64(edit.rate), 2) + [0, 0]
        }
        let list = ISOBox("elst", [0, 0, 0, 0] + ISOBox.big(UInt64(edits.count), 4) + entries)
        changeTrack(of: handler) { track in
            track.children.removeAll { $0.type == "edts" }
            track.children.insert(ISOBox("edts", [], children: [list]), at: 1)
        }
    }

    /// Ticks a second of the movie or of a track's media.
    package func timescale(of handler: String? = nil) -> Int64 {
        guard let moov else { return 0 }
        let track = boxes[moov].children.first { box in handler.map { box.isTrack(of: $0) } ?? false }
        let header = handler == nil ? boxes[moov]["mvhd"] : track?["mdia", "mdhd"]
        return header.map { Int64(ISOBox.number($0.content[12..<16])) } ?? 0
    }
}
