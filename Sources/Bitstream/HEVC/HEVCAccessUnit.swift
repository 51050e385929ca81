/// One coded picture and the NAL units that belong to it (ITU-T H.265, 7.4.2.4.4).
package struct HEVCAccessUnit: Hashable, Sendable {
    /// How decoding may begin here, and what that means for the pictures that follow.
    package enum Entry: Hashable, Sendable {
        /// Nothing that follows refers to what came before.
        case idr
        /// As an IDR picture, but order counts go on from its own low bits, and RASL pictures that follow are lost.
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
    /// Of the base layer, in order.
    package var slices: [HEVCSliceHeader] = []
    /// Those in force for the slices.
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
