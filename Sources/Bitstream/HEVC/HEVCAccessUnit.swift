/// One coded picture and the NAL units that belong to it (ITU-T H.265, 7.4.2.4.4).
package struct HEVCAccessUnit: Hashable, Sendable {
    /// How decoding may begin here, and what that means for the pictures that follow.
    package enum Entry: Hashable, Sendable {
        /// Nothing that follows refers to what came before.
        case idr
        /// Nothing but RASL pictures refers to what came before, and those are lost. Order counts go on from the
        /// picture's own low bits.
        case bla
        /// An open GOP: RASL pictures that follow refer to what came before, and are lost when decoding begins here.
        /// When they are left out it may become a BLA picture by its NAL unit type alone.
        case cra
        case none
    }

    /// Pictures behind an entry in decoding order and before it in output order.
    package enum Leading: Hashable, Sendable {
        /// Can be decoded when decoding begins at the entry.
        case decodable
        /// Refers to pictures before the entry.
        case skipped
    }

    /// All NAL units in order, parameter sets and delimiters among them.
    package var units: [ArraySlice<UInt8>]
    /// The headers of the base layer's slices, in order.
    package var slices: [HEVCSliceHeader] = []
    /// The parameter sets that are in force for the slices.
    package var sets: HEVCParameterSets
    /// The messages of all SEI units of the base layer, in order.
    package var messages: [SEIMessage] = []
    package var features: Set<HEVCFeature> = []
    /// An end of sequence or of bitstream follows the picture: decoding begins anew.
    package var endsSequence = false

    init(sets: HEVCParameterSets) {
        units = []
        self.sets = sets
    }

    package var type: HEVCUnitType? { slices.first?.unit.type }

    package var entry: Entry {
        guard let type else { return .none }
        return type.isIDR ? .idr : type.isBLA ? .bla : type == .cra ? .cra : .none
    }

    package var leading: Leading? {
        guard let type else { return nil }
        return type.isRASL ? .skipped : type.isRADL ? .decodable : nil
    }

    package var isIntra: Bool { !slices.isEmpty && slices.allSatisfy { $0.isDependent || $0.kind == .i } }
}
