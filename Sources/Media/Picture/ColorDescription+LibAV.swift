import CLibAV
import CompositionModel

extension ColorDescription {
    /// The code points of ITU-T H.273; 2 where a name has none.
    package var codePoints: (primaries: Int, transfer: Int, matrix: Int) {
        (Int(rawPrimaries.rawValue), Int(rawTransfer.rawValue), Int(rawMatrix.rawValue))
    }

    var rawMatrix: AVColorSpace { AVColorSpace(UInt32(max(0, av_color_space_from_name(matrix)))) }
    var rawRange: AVColorRange { isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG }
    var rawPrimaries: AVColorPrimaries { AVColorPrimaries(UInt32(max(0, av_color_primaries_from_name(primaries)))) }
    var rawTransfer: AVColorTransferCharacteristic {
        AVColorTransferCharacteristic(UInt32(max(0, av_color_transfer_from_name(transfer))))
    }

    /// The name of the matrix that the tags say, else the one that belongs to the tagged primaries; nil without either.
    static func tagged(matrix: AVColorSpace, primaries: AVColorPrimaries) -> String? {
        name(av_color_space_name(matrix), unless: matrix == AVCOL_SPC_UNSPECIFIED) ?? name(primaries: primaries)
    }

    /// Decides the colour of a stream by its tags, else by its size: HD is BT.709, SD is SMPTE 170M.
    /// Still images and JPEG's own formats are full range when nothing is said.
    init(
        matrix: AVColorSpace,
        range: AVColorRange,
        primaries: AVColorPrimaries,
        transfer: AVColorTransferCharacteristic,
        format: PixelFormat,
        height: Int,
        isStill: Bool
    ) {
        let size = height >= 720 ? "bt709" : "smpte170m"
        let saysFull = range == AVCOL_RANGE_JPEG || format.isFullRangeName || format.isRGB
        self.init(
            matrix: format.isRGB
                ? "gbr"
                : ColorDescription.tagged(matrix: matrix, primaries: primaries) ?? size,
            isFullRange: saysFull || (isStill && range == AVCOL_RANGE_UNSPECIFIED),
            primaries: name(av_color_primaries_name(primaries), unless: primaries == AVCOL_PRI_UNSPECIFIED)
                ?? (format.isRGB ? "bt709" : name(matrix: matrix) ?? size),
            transfer: name(av_color_transfer_name(transfer), unless: transfer == AVCOL_TRC_UNSPECIFIED)
                ?? (format.isRGB ? "iec61966-2-1" : name(matrix: matrix) ?? size)
        )
    }
}

private func name(_ text: UnsafePointer<CChar>?, unless isUnspecified: Bool) -> String? {
    guard let text, !isUnspecified else { return nil }
    let name = String(cString: text)
    return ["unknown", "reserved", "unspecified"].contains(name) ? nil : name
}

/// The matrix that belongs to `primaries`, where only those are tagged.
private func name(primaries: AVColorPrimaries) -> String? {
    switch primaries {
    case AVCOL_PRI_BT709: "bt709"
    case AVCOL_PRI_SMPTE170M: "smpte170m"
    case AVCOL_PRI_BT470BG: "bt470bg"
    case AVCOL_PRI_BT2020: "bt2020nc"
    default: nil
    }
}

/// Primaries and transfer that belong to `matrix`, where only that is tagged.
private func name(matrix: AVColorSpace) -> String? {
    switch matrix {
    case AVCOL_SPC_BT709: "bt709"
    case AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT470BG: "smpte170m"
    default: nil
    }
}
