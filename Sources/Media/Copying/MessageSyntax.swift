import Bitstream
import CLibAV

/// How a codec's NAL units hold messages.
enum MessageSyntax {
    case h264, hevc

    /// Bytes of a NAL unit's header.
    var headerLength: Int { header.count }

    /// The header of a unit of messages that stands before a picture's slices: nal_unit_type 6 of H.264; 39 of HEVC, of the
    /// base layer and the lowest sub-layer.
    var header: [UInt8] {
        switch self {
        case .h264: [6]
        case .hevc: [39 << 1, 1]
        }
    }

    /// Whether a NAL unit holds messages.
    func isMessages(_ nal: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .h264: H264UnitType(of: nal) == .sei
        case .hevc: [.prefixSEI, .suffixSEI].contains(Self.hevcType(of: nal))
        }
    }

    /// Whether a NAL unit is a slice.
    func isSlice(_ nal: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .h264: H264UnitType(of: nal)?.isSlice == true
        case .hevc: Self.hevcType(of: nal)?.isSlice == true
        }
    }

    /// Whether a NAL unit is a slice of a picture before which nothing of the stream is needed, so that messages of earlier
    /// pictures are in force no longer.
    func beginsSequence(_ nal: ArraySlice<UInt8>) -> Bool {
        switch self {
        case .h264: H264UnitType(of: nal) == .idrSlice
        case .hevc: Self.hevcType(of: nal)?.isIDR == true || Self.hevcType(of: nal)?.isBLA == true
        }
    }

    private static func hevcType(of nal: ArraySlice<UInt8>) -> HEVCUnitType? {
        guard let header = try? HEVCUnitHeader(of: nal), header.layer == 0 else { return nil }
        return header.type
    }
}

extension PacketCursor {
    /// How the stream's packets hold messages.
    var messageSyntax: MessageSyntax {
        stream?.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_HEVC ? .hevc : .h264
    }
}
