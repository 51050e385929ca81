/// What a NAL unit of H.264 holds: nal_unit_type, 0 … 31 (ITU-T H.264, table 7-1).
package struct H264UnitType: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The type that a NAL unit's first byte names; nil for an empty unit.
    package init?(of nal: ArraySlice<UInt8>) {
        guard let first = nal.first else { return nil }
        self.init(rawValue: Int(first & 31))
    }

    /// A slice of a picture that is not an IDR picture.
    package static let slice = H264UnitType(rawValue: 1)
    package static let partitionA = H264UnitType(rawValue: 2)
    package static let partitionB = H264UnitType(rawValue: 3)
    package static let partitionC = H264UnitType(rawValue: 4)
    package static let idrSlice = H264UnitType(rawValue: 5)
    package static let sei = H264UnitType(rawValue: 6)
    package static let sps = H264UnitType(rawValue: 7)
    package static let pps = H264UnitType(rawValue: 8)
    package static let accessUnitDelimiter = H264UnitType(rawValue: 9)
    package static let endOfSequence = H264UnitType(rawValue: 10)
    package static let endOfStream = H264UnitType(rawValue: 11)
    package static let filler = H264UnitType(rawValue: 12)
    package static let spsExtension = H264UnitType(rawValue: 13)
    /// What SVC and MVC say of the base layer's slice that follows.
    package static let prefix = H264UnitType(rawValue: 14)
    package static let subsetSPS = H264UnitType(rawValue: 15)
    package static let auxiliarySlice = H264UnitType(rawValue: 19)
    /// A slice of an SVC or MVC layer above the base.
    package static let sliceExtension = H264UnitType(rawValue: 20)
    /// A slice of a depth view or of 3D-AVC.
    package static let depthSliceExtension = H264UnitType(rawValue: 21)

    /// Whether it is part of a primary coded picture: slices and partitions.
    package var isVCL: Bool { (1...5).contains(rawValue) }
    /// A whole slice: read by ``H264SliceHeader``.
    package var isSlice: Bool { self == .slice || self == .idrSlice }
}
