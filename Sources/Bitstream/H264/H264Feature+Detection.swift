extension H264Feature {
    /// The features that a NAL unit's type alone shows.
    static func features(of type: H264UnitType, _ nal: ArraySlice<UInt8>) -> Set<H264Feature> {
        switch type {
        case .partitionA, .partitionB, .partitionC: [.dataPartitioning]
        case .auxiliarySlice: [.auxiliaryPictures]
        case .prefix, .sliceExtension:
            // svc_extension_flag (7.3.1).
            nal.count > 1 && nal[nal.startIndex + 1] & 0x80 != 0 ? [.scalableLayers] : [.views]
        case .depthSliceExtension: [.views]
        case .subsetSPS:
            // profile_idc of SVC is 83 and 86.
            nal.count > 1 && [83, 86].contains(nal[nal.startIndex + 1]) ? [.scalableLayers] : [.views]
        case _ where type.rawValue >= 24: [.unspecifiedUnits]
        default: []
        }
    }

    /// The features that the parameter sets of a picture show.
    package static func features(of pps: H264PPS, _ sps: H264SPS) -> Set<H264Feature> {
        var features: Set<H264Feature> = []
        if pps.sliceGroups != nil { features.insert(.sliceGroups) }
        if sps.allowsFrameNumGaps { features.insert(.frameNumGapsAllowed) }
        if sps.hasSeparatePlanes { features.insert(.separatePlanes) }
        return features
    }

    /// The features that a slice header shows.
    static func features(of header: H264SliceHeader, _ sps: H264SPS) -> Set<H264Feature> {
        var features: Set<H264Feature> = []
        if header.isField { features.insert(.fieldPictures) }
        if sps.isAdaptiveFrameField, !header.isField { features.insert(.adaptiveFrameField) }
        if header.redundantCount > 0 { features.insert(.redundantPictures) }
        if header.type.isSwitching { features.insert(.switchingSlices) }
        let modifications = (header.modifications0 ?? []) + (header.modifications1 ?? [])
        let refersLongTerm = modifications.contains { step in
            if case .longTerm = step { true } else { false }
        }
        if refersLongTerm || header.marking?.usesLongTerm == true { features.insert(.longTermReferences) }
        return features
    }
}
