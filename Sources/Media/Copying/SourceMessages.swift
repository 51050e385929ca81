package import Bitstream
package import CompositionModel
import Foundation
package import Timing

/// The messages that the pictures of consecutive frames of one stream of H.264 or HEVC carry, for pictures that are encoded
/// anew.
package struct SourceMessages {
    /// The messages that belong to single pictures, by the shown frame of the stream.
    private var ofPicture: [Int64: [SEIMessage]] = [:]
    /// The messages that are in force at a picture, by the shown frame of the stream.
    private var inForce: [Int64: [SEIMessage]] = [:]

    /// - Parameters:
    ///   - frames: shown frames of the stream.
    ///   - kinds: the kinds of messages that are wanted.
    /// - Throws: ``MediaError`` when the source cannot be opened or does not fit its index.
    package init(
        source: any ByteSource,
        index: FrameIndex,
        frames: FrameRange,
        kinds: [PictureMessage]
    ) throws(MediaError) {
        let positions = index.shownPositions()
        guard positions.count == index.shown.count, frames.start >= 0, frames.end <= positions.count, !frames.isEmpty
        else { throw .invalidIndex("A span with messages is not in the frame index; probe the asset again.") }
        var frameOfPacket: [Int: Int64] = [:]
        for frame in frames.start..<frames.end { frameOfPacket[positions[Int(frame)]] = frame }
        guard let first = frameOfPacket.keys.min(), let last = frameOfPacket.keys.max() else { return }
        let cursor = try PacketCursor(source, index: index)
        let prefix = try cursor.copiedPrefix()
        let syntax = cursor.messageSyntax
        try cursor.move(to: index.packets[...first].lastIndex(where: \.isKey) ?? first)
        var current: [PictureMessage: [SEIMessage]] = [:]
        while let (number, packet) = try cursor.next(), number <= last {
            let bytes = Array(packet.bytes)
            guard let units = try? prefix?.units(of: bytes[...]) ?? AnnexB.units(of: bytes[...]) else { continue }
            if units.contains(where: syntax.beginsSequence) { current = [:] }
            let messages = Self.messages(in: units, syntax, kinds)
            for (kind, found) in messages where !kind.isOfOnePicture { current[kind] = found }
            guard let frame = frameOfPacket[number] else { continue }
            ofPicture[frame] = messages.filter(\.key.isOfOnePicture).inOrder
            inForce[frame] = current.inOrder
        }
    }

    /// The messages that an encoded picture gets.
    /// - Parameters:
    ///   - frame: the shown frame of the stream that the picture shows.
    ///   - isKey: whether a sequence begins with the picture, which then says what holds for all of it.
    package func messages(ofFrame frame: Int64, isKey: Bool) -> [SEIMessage] {
        (isKey ? inForce[frame] ?? [] : []) + (ofPicture[frame] ?? [])
    }

    private static func messages(
        in units: [ArraySlice<UInt8>],
        _ syntax: MessageSyntax,
        _ kinds: [PictureMessage]
    ) -> [PictureMessage: [SEIMessage]] {
        var found: [PictureMessage: [SEIMessage]] = [:]
        for nal in units where syntax.isMessages(nal) {
            for message in (try? SEIUnit(nal, headerLength: syntax.headerLength))?.messages ?? [] {
                guard let kind = PictureMessage(message), kinds.contains(kind) else { continue }
                found[kind, default: []].append(message)
            }
        }
        return found
    }
}

extension [PictureMessage: [SEIMessage]] {
    fileprivate var inOrder: [SEIMessage] { PictureMessage.allCases.flatMap { self[$0] ?? [] } }
}

extension EncodedPacket {
    /// Puts a unit of messages in front of the picture's slices; the packet has start codes.
    /// - Parameters:
    ///   - messages: nothing changes when there are none.
    ///   - codec: H.264 or HEVC, the packet's.
    package mutating func insert(_ messages: [SEIMessage], of codec: VideoEncoding.Codec) {
        let syntax: MessageSyntax = codec == .hevc ? .hevc : .h264
        guard let unit = SEIUnit(header: syntax.header, messages: messages).nal() else { return }
        var units = AnnexB.units(of: [UInt8](data)[...])
        units.insert(unit[...], at: units.firstIndex(where: syntax.isSlice) ?? units.endIndex)
        data = Data(AnnexB.stream(of: units))
    }
}
