/// What a NAL unit of HEVC holds: nal_unit_type, 0 … 63 (ITU-T H.265, table 7-1).
package struct HEVCUnitType: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let trailN = HEVCUnitType(rawValue: 0)
    package static let trailR = HEVCUnitType(rawValue: 1)
    package static let rasl = HEVCUnitType(rawValue: 9)
    package static let blaWithLeadingPictures = HEVCUnitType(rawValue: 16)
    package static let blaWithRADL = HEVCUnitType(rawValue: 17)
    package static let blaWithoutLeadingPictures = HEVCUnitType(rawValue: 18)
    package static let idrWithRADL = HEVCUnitType(rawValue: 19)
    package static let idrWithoutLeadingPictures = HEVCUnitType(rawValue: 20)
    package static let cra = HEVCUnitType(rawValue: 21)
    package static let vps = HEVCUnitType(rawValue: 32)
    package static let sps = HEVCUnitType(rawValue: 33)
    package static let pps = HEVCUnitType(rawValue: 34)
    package static let accessUnitDelimiter = HEVCUnitType(rawValue: 35)
    package static let endOfSequence = HEVCUnitType(rawValue: 36)
    package static let endOfBitstream = HEVCUnitType(rawValue: 37)
    package static let filler = HEVCUnitType(rawValue: 38)
    package static let prefixSEI = HEVCUnitType(rawValue: 39)
    package static let suffixSEI = HEVCUnitType(rawValue: 40)
    /// Unspecified by the standard; Dolby Vision's metadata.
    package static let dolbyVisionRPU = HEVCUnitType(rawValue: 62)
    /// Unspecified by the standard; Dolby Vision's enhancement layer.
    package static let dolbyVisionEnhancement = HEVCUnitType(rawValue: 63)

    package var isVCL: Bool { rawValue < 32 }
    /// A slice segment of a type that is not reserved: read by ``HEVCSliceHeader``.
    package var isSlice: Bool { (0...9).contains(rawValue) || (16...21).contains(rawValue) }
    package var isIDR: Bool { self == .idrWithRADL || self == .idrWithoutLeadingPictures }
    package var isBLA: Bool { (16...18).contains(rawValue) }
    /// Intra random access point: BLA, IDR, CRA and two reserved types.
    package var isIRAP: Bool { (16...23).contains(rawValue) }
    /// Random access skipped leading: cannot be decoded when decoding starts at its CRA or BLA.
    package var isRASL: Bool { rawValue == 8 || rawValue == 9 }
    /// Random access decodable leading.
    package var isRADL: Bool { rawValue == 6 || rawValue == 7 }
    /// Not used for reference by pictures of its own sub-layer: the even types below 16.
    package var isSubLayerNonReference: Bool { rawValue < 16 && rawValue & 1 == 0 }
}
