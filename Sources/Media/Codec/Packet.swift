import CLibAV
import Foundation

/// Owner of one AVPacket.
final class Packet {
    let raw: UnsafeMutablePointer<AVPacket>

    init() throws(MediaError) {
        guard let raw = av_packet_alloc() else { throw .decoding("No memory for a packet.") }
        self.raw = raw
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = raw
        av_packet_free(&pointer)
    }

    func clear() { av_packet_unref(raw) }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: raw.pointee.data, count: Int(raw.pointee.size))
    }
    var pts: Int64? { raw.pointee.pts == CUT_NOPTS ? nil : raw.pointee.pts }
    var dts: Int64? { raw.pointee.dts == CUT_NOPTS ? nil : raw.pointee.dts }
    /// Ticks; 0 where it is not known.
    var duration: Int64 { max(0, raw.pointee.duration) }
    var streamIndex: Int { Int(raw.pointee.stream_index) }
    var isKey: Bool { raw.pointee.flags & AV_PKT_FLAG_KEY != 0 }
    var isDiscarded: Bool { raw.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
    var isCorrupt: Bool { raw.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }

    /// Whether it holds nothing: AVI has such where a picture stays (a chunk of no bytes). For a decoder it would be the
    /// end of the stream.
    var isEmpty: Bool { raw.pointee.size == 0 && raw.pointee.side_data_elems == 0 }

    /// A copy of the side data of `type`, nil when there is none.
    func sideData(_ type: AVPacketSideDataType) -> [UInt8]? {
        var size = 0
        guard let data = av_packet_get_side_data(raw, type, &size) else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: size))
    }

    /// Says how many samples at its start and end are not meant to be heard (AV_PKT_DATA_SKIP_SAMPLES, little endian).
    func markHidden(start: Int64, end: Int64) throws(MediaError) {
        guard let data = av_packet_new_side_data(raw, AV_PKT_DATA_SKIP_SAMPLES, 10) else {
            throw .writing("No memory for a packet.")
        }
        for index in 0..<10 { data[index] = 0 }
        for index in 0..<4 {
            data[index] = UInt8(truncatingIfNeeded: start >> (8 * index))
            data[4 + index] = UInt8(truncatingIfNeeded: end >> (8 * index))
        }
    }

    /// Fills it with a copy of `packet`'s bytes and its times.
    func fill(_ packet: EncodedPacket) throws(MediaError) {
        clear()
        try LibAV.check(av_new_packet(raw, Int32(packet.data.count)), MediaError.writing, "A packet")
        if let target = raw.pointee.data { packet.data.copyBytes(to: target, count: packet.data.count) }
        raw.pointee.pts = packet.pts
        raw.pointee.dts = packet.dts
        raw.pointee.duration = packet.duration
        raw.pointee.flags = packet.isKey ? AV_PKT_FLAG_KEY : 0
    }

    func encoded() -> EncodedPacket {
        EncodedPacket(
            pts: raw.pointee.pts,
            dts: raw.pointee.dts,
            duration: raw.pointee.duration,
            isKey: isKey,
            data: Data(bytes)
        )
    }
}
