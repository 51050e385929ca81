/// Puts NAL units together to access units, one after the other, and keeps the parameter sets that are in force.
package struct HEVCAccessUnitReader: Sendable {
    /// The parameter sets that are in force for the next slice.
    package private(set) var sets: HEVCParameterSets
    private var current: HEVCAccessUnit
    /// Whether the current access unit has a slice.
    private var hasPicture = false

    /// - Parameter sets: known before the first unit, of a sample entry.
    package init(sets: HEVCParameterSets = HEVCParameterSets()) {
        self.sets = sets
        current = HEVCAccessUnit(sets: sets)
    }

    /// Takes the next NAL unit in decoding order.
    /// - Returns: the access unit before it, when this one begins another.
    /// - Throws: when a parameter set, slice header or SEI unit cannot be read; nothing changed then.
    package mutating func add(_ nal: ArraySlice<UInt8>) throws(BitstreamError) -> HEVCAccessUnit? {
        let unit = try HEVCUnitHeader(of: nal)
        let isBase = unit.layer == 0
        var slice: HEVCSliceHeader?
        var messages: [SEIMessage] = []
        if isBase, unit.type.isSlice { slice = try HEVCSlice(nal, sets).header }
        if isBase, unit.type == .prefixSEI || unit.type == .suffixSEI {
            messages = try SEIUnit(nal, headerLength: 2).messages
        }
        var following = sets
        try following.add(nal)
        let finished = begins(unit, slice) ? finish() : nil
        sets = following
        current.units.append(nal)
        current.messages += messages
        current.features.formUnion(HEVCFeature.features(of: unit))
        if let slice { try add(slice) }
        if unit.type.isVCL { hasPicture = true }
        if unit.type == .endOfSequence || unit.type == .endOfBitstream { current.endsSequence = true }
        return finished
    }

    /// The access unit that no other follows; nil when there is none. Units that are no picture are one at the end.
    package mutating func finish() -> HEVCAccessUnit? {
        guard !current.units.isEmpty else { return nil }
        let finished = current
        current = HEVCAccessUnit(sets: sets)
        hasPicture = false
        return finished
    }

    /// All access units of a sample or a whole stream. What follows, such as the next sample, may be added later.
    /// - Throws: as ``add(_:)``.
    package mutating func accessUnits(
        of units: some Sequence<ArraySlice<UInt8>>
    ) throws(BitstreamError) -> [HEVCAccessUnit] {
        var found: [HEVCAccessUnit] = []
        for nal in units { if let unit = try add(nal) { found.append(unit) } }
        if let last = finish() { found.append(last) }
        return found
    }

    private mutating func add(_ slice: HEVCSliceHeader) throws(BitstreamError) {
        let active = try sets.active(pps: slice.ppsID)
        current.sets = sets
        current.features.formUnion(HEVCFeature.features(of: active.sps))
        current.features.formUnion(HEVCFeature.features(of: slice))
        current.slices.append(slice)
    }

    /// Whether a NAL unit is the first of another access unit (7.4.2.4.4).
    private func begins(_ unit: HEVCUnitHeader, _ slice: HEVCSliceHeader?) -> Bool {
        guard hasPicture, unit.layer == 0 else { return false }
        switch unit.type.rawValue {
        // VPS, SPS, PPS, access unit delimiter, prefix SEI, reserved and unspecified types.
        case 32...35, 39, 41...44, 48...55: return true
        default: return slice?.isFirst == true
        }
    }
}
