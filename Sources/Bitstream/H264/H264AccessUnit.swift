/// One primary coded picture and the NAL units that belong to it (ITU-T H.264, 7.4.1.2.3). The two fields of a frame are
/// two access units.
package struct H264AccessUnit: Hashable, Sendable {
    /// How decoding may begin here.
    package enum Entry: Hashable, Sendable {
        /// Nothing that follows refers to what came before.
        case idr
        /// All slices are intra, and a message says that decoding may begin here. With ``RecoveryPoint/count`` 0 all
        /// pictures that follow in decoding and output order are right: an open GOP.
        case recoveryPoint(RecoveryPoint)
        /// A message says that pictures become right by and by: intra refresh, or a picture with inter slices.
        case gradualRecovery(RecoveryPoint)
        /// All slices are intra, and nothing says that later pictures do not refer to earlier ones.
        case intra
        case none
    }

    package enum Structure: Hashable, Sendable {
        case frame
        /// A frame whose pairs of macroblocks may be fields (MBAFF).
        case adaptiveFrame
        case topField
        case bottomField
    }

    /// All NAL units in order, parameter sets and delimiters among them.
    package var units: [ArraySlice<UInt8>]
    /// The headers of the primary coded picture's slices, in order; empty where all are of kinds that are not read.
    package var slices: [H264SliceHeader] = []
    /// The parameter sets that are in force for the slices.
    package var sets: H264ParameterSets
    /// The messages of all SEI units, in order.
    package var messages: [SEIMessage] = []
    package var features: Set<H264Feature> = []
    /// An end of sequence or of stream follows the picture: the next is an IDR picture, and numbering begins anew.
    package var endsSequence = false

    init(sets: H264ParameterSets) {
        units = []
        self.sets = sets
    }

    package var entry: Entry {
        guard let first = slices.first else { return .none }
        if first.isIDR { return .idr }
        let isIntra = slices.allSatisfy(\.type.isIntra)
        let point = messages.first { $0.kind == .recoveryPoint }.flatMap { try? RecoveryPoint(h264: $0.payload) }
        guard let point else { return isIntra ? .intra : .none }
        return isIntra && point.count == 0 ? .recoveryPoint(point) : .gradualRecovery(point)
    }

    /// Whether the picture is a frame or a field; nil where no slice was read.
    package var structure: Structure? {
        guard let first = slices.first, let active = try? sets.active(pps: first.ppsID) else { return nil }
        if first.isField { return first.isBottomField ? .bottomField : .topField }
        return active.sps.isAdaptiveFrameField ? .adaptiveFrame : .frame
    }
}
