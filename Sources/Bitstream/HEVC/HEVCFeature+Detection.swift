extension HEVCFeature {
    /// The features that a NAL unit's header alone shows.
    static func features(of header: HEVCUnitHeader) -> Set<HEVCFeature> {
        var features: Set<HEVCFeature> = []
        if header.layer > 0 { features.insert(.layers) }
        if header.type == .dolbyVisionRPU { features.insert(.dolbyVisionMetadata) }
        if header.type == .dolbyVisionEnhancement { features.insert(.dolbyVisionEnhancement) }
        if header.temporalID > 0, header.type.isVCL { features.insert(.temporalLayers) }
        return features
    }

    /// What an SPS says. With screen content coding slice headers cannot be read.
    package static func features(of sps: HEVCSPS) -> Set<HEVCFeature> {
        var features: Set<HEVCFeature> = []
        if sps.vui?.isFieldSequence == true { features.insert(.fieldPictures) }
        if sps.hasSeparatePlanes { features.insert(.separatePlanes) }
        if sps.extensions?.isScreenContent == true { features.insert(.screenContent) }
        return features
    }

    /// The features that a slice header shows.
    static func features(of header: HEVCSliceHeader) -> Set<HEVCFeature> {
        header.longTerm?.pictures.isEmpty == false ? [.longTermReferences] : []
    }
}
