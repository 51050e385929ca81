/// Puts NAL units together to access units, one after the other, and keeps the parameter sets that are in force.
///
/// ```
/// AUD SPS PPS SEI slice slice │ SEI slice slice │ slice slice │ AUD …
/// ```
package struct H264AccessUnitReader: Sendable {
    /// The parameter sets that are in force for the next slice.
    package private(set) var sets: H264ParameterSets
    private var current: H264AccessUnit
    /// Whether the current access unit has a slice of a primary picture, or part of one.
    private var hasPicture = false
    private var lastPrimary: H264SliceHeader?
    private var numbers = H264FrameNumbers()

    /// - Parameter sets: known before the first unit, of a sample entry.
    package init(sets: H264ParameterSets = H264ParameterSets()) {
        self.sets = sets
        current = H264AccessUnit(sets: sets)
    }

    /// Takes the next NAL unit in decoding order.
    /// - Returns: the access unit before it, when this one begins another.
    /// - Throws: when a parameter set, slice header or SEI unit cannot be read; nothing changed then.
    package mutating func add(_ nal: ArraySlice<UInt8>) throws(BitstreamError) -> H264AccessUnit? {
        guard let type = H264UnitType(of: nal) else { return nil }
        var header: H264SliceHeader?
        var messages: [SEIMessage] = []
        if type.isSlice { header = try H264Slice(nal, sets).header }
        if type == .sei { messages = try SEIUnit(nal, headerLength: 1).messages }
        var following = sets
        try following.add(nal)
        let finished = begins(type, header) ? finish() : nil
        sets = following
        current.units.append(nal)
        current.messages += messages
        current.features.formUnion(H264Feature.features(of: type, nal))
        if let header { try add(header) }
        if type.isVCL { hasPicture = true }
        if type == .endOfSequence || type == .endOfStream { current.endsSequence = true }
        return finished
    }

    /// The access unit that no other follows; nil when there is none. Units that are no picture are one at the end.
    package mutating func finish() -> H264AccessUnit? {
        guard !current.units.isEmpty else { return nil }
        var finished = current
        if let first = finished.slices.first, let sps = try? finished.sets.active(pps: first.ppsID).sps,
            numbers.next(first, sps, endsSequence: finished.endsSequence)
        {
            finished.features.insert(.frameNumGap)
        }
        current = H264AccessUnit(sets: sets)
        hasPicture = false
        lastPrimary = nil
        return finished
    }

    /// All access units of a sample or a whole stream. What follows, such as the next sample, may be added later.
    /// - Throws: as ``add(_:)``.
    package mutating func accessUnits(
        of units: some Sequence<ArraySlice<UInt8>>
    ) throws(BitstreamError) -> [H264AccessUnit] {
        var found: [H264AccessUnit] = []
        for nal in units { if let unit = try add(nal) { found.append(unit) } }
        if let last = finish() { found.append(last) }
        return found
    }

    private mutating func add(_ header: H264SliceHeader) throws(BitstreamError) {
        let active = try sets.active(pps: header.ppsID)
        current.sets = sets
        current.features.formUnion(H264Feature.features(of: active.pps, active.sps))
        current.features.formUnion(H264Feature.features(of: header, active.sps))
        guard header.redundantCount == 0 else { return }
        if let last = lastPrimary, header.colourPlane == last.colourPlane,
            header.firstMacroblock <= last.firstMacroblock
        {
            current.features.insert(.arbitrarySliceOrder)
        }
        lastPrimary = header
        current.slices.append(header)
    }

    /// Whether a NAL unit is the first of another access unit (7.4.1.2.3 and 7.4.1.2.4).
    private func begins(_ type: H264UnitType, _ header: H264SliceHeader?) -> Bool {
        guard hasPicture else { return false }
        switch type {
        case .accessUnitDelimiter, .sps, .pps, .sei: return true
        case _ where (14...18).contains(type.rawValue): return true
        case .slice, .idrSlice:
            guard let header, let last = lastPrimary else { return header?.redundantCount == 0 }
            return header.redundantCount == 0 && header.isOtherPicture(than: last)
        default: return false
        }
    }
}
