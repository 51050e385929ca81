import CLibAV

/// What one packet is to somebody who wants to start decoding at it, read from its NAL units or its frame header.
enum AccessUnit: Sendable, Hashable {
    /// Everything shown from here on decodes right when decoding starts here, leading pictures aside.
    case entry
    /// H.264's promise without an IDR: from here on everything shown matches exactly (recovery point SEI with
    /// recovery_frame_cnt 0, exact_match_flag 1, broken_link_flag 0).
    case recoveryPoint
    /// Refers to pictures before the entry that it follows; a decoder that starts there leaves it out (HEVC RASL).
    case skippedLeading
    /// Shown before its entry, but refers to nothing before it (HEVC RADL).
    case decodableLeading
    /// Never shown (VP8's alternate reference).
    case invisible
    case other
}

/// Reads ``AccessUnit`` from packets of one stream.
struct AccessUnitReader {
    private let codec: AVCodecID
    /// Bytes of the length before each NAL unit; nil for Annex B start codes.
    private let lengthSize: Int?

    init(codec: AVCodecID, extradata: UnsafeRawBufferPointer) {
        self.codec = codec
        switch codec {
        case AV_CODEC_ID_H264 where extradata.count > 6 && extradata[0] == 1: lengthSize = Int(extradata[4] & 3) + 1
        case AV_CODEC_ID_HEVC where extradata.count > 22 && extradata[0] == 1: lengthSize = Int(extradata[21] & 3) + 1
        default: lengthSize = nil
        }
    }

    func read(_ packet: UnsafeRawBufferPointer, isKey: Bool) -> AccessUnit {
        switch codec {
        case AV_CODEC_ID_H264: h264(packet)
        case AV_CODEC_ID_HEVC: hevc(packet)
        case AV_CODEC_ID_VP8: vp8(packet, isKey: isKey)
        case AV_CODEC_ID_H263: h263(packet) ? .entry : .other
        case AV_CODEC_ID_FFV1: ffv1(packet) ? .entry : .other
        default: isKey ? .entry : .other
        }
    }

    /// H.264 table 7-1: 1 and 2 begin a slice of another picture, 5 of an IDR, 6 is SEI.
    private func h264(_ packet: UnsafeRawBufferPointer) -> AccessUnit {
        var recovers = false
        let type = firstType(packet) { unit in
            let type = unit[0] & 31
            if type == 6 && RecoveryPoint.isExact(sei: unit.dropFirst()) { recovers = true }
            return type == 1 || type == 2 || type == 5 ? type : nil
        }
        return type == 5 ? .entry : recovers ? .recoveryPoint : .other
    }

    /// H.265 table 7-1: 16–21 are intra random access pictures, 8 and 9 RASL, 6 and 7 RADL; all below 32 are slices.
    private func hevc(_ packet: UnsafeRawBufferPointer) -> AccessUnit {
        let type = firstType(packet) { unit in
            let type = unit[0] >> 1 & 63
            return type < 32 ? type : nil
        }
        switch type {
        case .some(16...21): return .entry
        case .some(8...9): return .skippedLeading
        case .some(6...7): return .decodableLeading
        default: return .other
        }
    }

    /// RFC 6386, 9.1: bit 0 is clear for key frames, bit 4 is set for frames that are shown.
    private func vp8(_ packet: UnsafeRawBufferPointer, isKey: Bool) -> AccessUnit {
        guard let first = packet.first else { return .other }
        if first & 0x10 == 0 { return .invisible }
        return isKey ? .entry : .other
    }

    /// Whether it is an INTRA picture: AVI's demuxer calls every picture of H.263 a key (H.263, 5.1.3 and 5.1.4).
    /// ```
    /// start code 22 | TR 8 | PTYPE: 5 bits, source format 3, INTER 1 …
    ///                               format 7: UFEP 3 [, OPPTYPE 18], picture type 3 …
    /// ```
    private func h263(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count >= 8 else { return false }
        let word = packet[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        func bits(_ count: Int, at offset: Int) -> UInt64 { (word << offset) >> (64 - count) }
        guard bits(3, at: 35) == 7 else { return bits(1, at: 38) == 0 }
        return bits(3, at: bits(3, at: 38) == 1 ? 59 : 41) == 0
    }

    /// Whether its first symbol, keyframe, is set: AVI's demuxer calls every packet a key where there is no index. The
    /// range coder begins with 16 bits and halves a range of 0xFF00 (RFC 9043, 3.8.1 and 4.3).
    private func ffv1(_ packet: UnsafeRawBufferPointer) -> Bool {
        guard packet.count >= 2 else { return false }
        return UInt16(packet[0]) << 8 | UInt16(packet[1]) >= 0x7F80
    }

    /// The first NAL unit that `slice` knows as a slice. Each is handed over from its header to at most the packet's
    /// end.
    private func firstType(_ packet: UnsafeRawBufferPointer, _ slice: (UnsafeRawBufferPointer) -> UInt8?) -> UInt8? {
        var position = lengthSize ?? afterStartCode(packet, from: 0)
        while position < packet.count {
            if let type = slice(UnsafeRawBufferPointer(rebasing: packet[position...])) { return type }
            if let lengthSize {
                let length = packet[(position - lengthSize)..<position].reduce(0) { $0 << 8 | Int($1) }
                position += length + lengthSize
            } else {
                position = afterStartCode(packet, from: position)
            }
        }
        return nil
    }

    /// The byte after the next 00 00 01 at or after `start`.
    private func afterStartCode(_ packet: UnsafeRawBufferPointer, from start: Int) -> Int {
        var position = start
        while position + 3 < packet.count {
            if packet[position + 2] > 1 {
                position += 3
            } else if packet[position] == 0 && packet[position + 1] == 0 && packet[position + 2] == 1 {
                return position + 3
            } else {
                position += 1
            }
        }
        return packet.count
    }
}
