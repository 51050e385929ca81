extension HEVCConfiguration {
    /// One record for all these parameter sets, in the order of their ids: the highest profile, tier and level among them,
    /// and the compatibilities and constraints that all of them keep.
    /// - Throws: without an SPS, and for sequences of different formats, which one sample entry cannot describe.
    package init(_ sets: HEVCParameterSets) throws(BitstreamError) {
        let sequences = sets.sps.sorted { $0.key < $1.key }.map(\.value)
        guard let first = sequences.first else {
            throw BitstreamError(.missing(id: 0), element: "sequence parameter set", bit: 0)
        }
        self.init()
        (chromaFormat, lumaBits, chromaBits) = (first.chromaFormat, first.lumaBits, first.chromaBits)
        for other in sequences
        where (other.chromaFormat, other.lumaBits, other.chromaBits) != (chromaFormat, lumaBits, chromaBits) {
            throw BitstreamError(.outOfRange(other.chromaFormat), element: "chroma_format_idc", bit: 0)
        }
        let profiles = sequences.map(\.profileTierLevel.profile)
        let isHighTier = profiles.contains { $0.isHighTier }
        profile = (isHighTier ? 0x20 : 0) | (profiles.map(\.idc).max() ?? 0)
        compatibility = profiles.reduce(0xFFFF_FFFF) { $0 & $1.compatibility }
        constraints = profiles.reduce((1 << 48) - 1) { $0 & $1.constraintIndicators }
        level = sequences.map(\.profileTierLevel.level).max() ?? 0
        temporalLayers = sequences.map(\.subLayerCount).max() ?? 1
        isTemporalIDNested = sequences.allSatisfy(\.isNested)
        try addUnits(of: sets)
        _ = try record()
    }

    private mutating func addUnits(of sets: HEVCParameterSets) throws(BitstreamError) {
        var (vps, sps, pps): ([[UInt8]], [[UInt8]], [[UInt8]]) = ([], [], [])
        for (_, set) in sets.vps.sorted(by: { $0.key < $1.key }) { vps.append(try set.nal()) }
        for (_, set) in sets.sps.sorted(by: { $0.key < $1.key }) { sps.append(try set.nal()) }
        for (_, set) in sets.pps.sorted(by: { $0.key < $1.key }) { pps.append(try set.nal()) }
        arrays = [
            UnitArray(type: .vps, isComplete: true, units: vps), UnitArray(type: .sps, isComplete: true, units: sps),
            UnitArray(type: .pps, isComplete: true, units: pps),
        ]
    }
}
