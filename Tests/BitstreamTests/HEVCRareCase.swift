import Bitstream
import Testing

/// Headers that x265 does not write: parameter sets and a slice that uses them.
struct HEVCRareCase: CustomTestStringConvertible, Sendable {
    let name: String
    var vps = HEVCVPS()
    var sps = HEVCSPS()
    var pps = HEVCPPS()
    var header = HEVCSliceHeader()

    var testDescription: String { name }

    /// - Parameter change: what makes it rare.
    private init(_ name: String, _ change: (inout HEVCRareCase) -> Void) {
        self.name = name
        vps.id = 5
        vps.profileTierLevel.level = 93
        vps.profileTierLevel.profile.idc = 4
        vps.profileTierLevel.profile.compatibility = 1 << 27
        (sps.vpsID, sps.id, sps.profileTierLevel) = (5, 6, vps.profileTierLevel)
        (sps.width, sps.height, sps.log2CodingBlockDifference, sps.log2TransformBlockDifference) = (320, 192, 3, 3)
        (sps.log2MaxOrderLSB, sps.buffering) = (8, [HEVCBuffering(pictures: 6, reordered: 2)])
        sps.referenceSets = [.init(before: [.init(delta: -1, isUsed: true), .init(delta: -4, isUsed: true)])]
        (pps.id, pps.spsID) = (33, 6)
        (header.ppsID, header.kind, header.orderLSB, header.references) = (33, .p, 100, .index(0))
        change(&self)
    }

    static let all = sets + references + slices + formats

    private static let sets = [
        HEVCRareCase("reference sets by prediction") { rare in
            let shifted = HEVCReferenceSet.Prediction(
                shift: -2,
                isUsed: [true, false, true],
                isKept: [true, true, true]
            )
            let back = HEVCReferenceSet.Prediction(
                shift: 3,
                isUsed: [false, false, true, false],
                isKept: [false, true, true, true]
            )
            rare.sps.referenceSets.append(.init(prediction: shifted))
            rare.sps.referenceSets.append(.init(prediction: back))
            var own = HEVCReferenceSet.Prediction(shift: 1, isUsed: [true, true, false], isKept: [true, true, false])
            own.deltaIndexMinus1 = 0
            rare.header.references = .own(.init(prediction: own))
        },
        HEVCRareCase("references on both sides") { rare in
            let own = HEVCReferenceSet(
                before: [.init(delta: -3, isUsed: false)],
                after: [.init(delta: 1, isUsed: true), .init(delta: 32_769, isUsed: true)]
            )
            rare.sps.referenceSets = []
            rare.header.references = .own(own)
        },
        HEVCRareCase("layer sets and buffers of the VPS") { rare in
            rare.vps.subLayerCount = 3
            rare.vps.profileTierLevel.subLayers = [
                .init(profile: rare.vps.profileTierLevel.profile, level: 60), .init(profile: nil, level: 90),
            ]
            rare.vps.buffering = [
                .init(), .init(pictures: 3, reordered: 1), .init(pictures: 5, latencyIncreasePlus1: 9),
            ]
            (rare.sps.subLayerCount, rare.sps.profileTierLevel) = (3, rare.vps.profileTierLevel)
            (rare.sps.hasBufferingOfEach, rare.sps.buffering) = (false, [HEVCBuffering(pictures: 5, reordered: 4)])
            rare.vps.maxLayer = 2
            rare.vps.layerSets = [[true, false, true], [false, true, true]]
            rare.vps.timing = HEVCTiming(unitsInTick: 1001, timeScale: 60_000, ticksPerOrderMinus1: 3)
            var hrd = HEVCHRD()
            hrd.common.hasVCL = true
            hrd.common.subPicture = .init()
            hrd.common.subPicture?.tickDivisorMinus2 = 200
            var layer = HEVCHRD.SubLayer()
            (layer.isFixedRate, layer.isFixedRateInSequence, layer.duration, layer.scheduleCount) = (true, true, 7, 2)
            var schedule = HEVCHRD.Schedule()
            (schedule.bitRateMinus1, schedule.unitSizeMinus1) = (70_000, 12)
            layer.vcl = [schedule, schedule]
            var low = HEVCHRD.SubLayer()
            (low.isLowDelay, low.vcl) = (true, [schedule])
            hrd.subLayers = [layer, low, layer]
            rare.vps.hrds = [.init(layerSet: 1, hasCommon: true, hrd: hrd)]
        },
        HEVCRareCase("usability") { rare in
            var vui = HEVCVUI()
            vui.aspectRatio = AspectRatio(width: 1, height: 65_535)
            vui.signal = VideoSignal(format: 0, isFullRange: true)
            (vui.isNeutralChroma, vui.hasFieldInformation) = (true, true)
            vui.displayWindow = HEVCWindow()
            vui.displayWindow?.right = 9
            vui.timing = HEVCTiming(unitsInTick: 1, timeScale: 25, ticksPerOrderMinus1: 0)
            vui.restriction = .init()
            vui.restriction?.minimumSpatialSegmentation = 4095
            rare.sps.vui = vui
            rare.sps.conformanceWindow = HEVCWindow()
            rare.sps.conformanceWindow?.bottom = 4
            rare.sps.buffering = [HEVCBuffering(pictures: 16, reordered: 15, latencyIncreasePlus1: 1000)]
        },
    ]

    private static let references = [
        HEVCRareCase("long-term references") { rare in
            rare.sps.longTerm = [.init(orderLSB: 5, isUsed: true), .init(orderLSB: 255)]
            rare.header.longTerm = HEVCLongTermReferences()
            rare.header.longTerm?.pictures = [
                .init(spsIndex: 0, msbCycle: nil), .init(spsIndex: 1, msbCycle: 4),
                .init(orderLSB: 200, isUsed: true, msbCycle: 0), .init(orderLSB: 3, isUsed: false),
            ]
            rare.pps.hasListModifications = true
            rare.header.listEntries0 = [3]
        },
        HEVCRareCase("long-term references of slices only") { rare in
            rare.sps.longTerm = []
            rare.header.longTerm = HEVCLongTermReferences()
            rare.header.longTerm?.pictures = [.init(orderLSB: 200, isUsed: true, msbCycle: 70_000)]
        },
        HEVCRareCase("lists and weights in B") { rare in
            (rare.pps.hasListModifications, rare.pps.isBipredWeighted, rare.pps.hasCABACInit) = (true, true, true)
            (rare.header.kind, rare.header.overridesReferences) = (.b, true)
            (rare.header.activeReferences0, rare.header.activeReferences1) = (3, 2)
            (rare.header.listEntries0, rare.header.listEntries1) = ([1, 0, 1], [0, 1])
            (rare.header.hasZeroVectors1, rare.header.cabacInit, rare.header.fiveMinusMergeCandidates) = (true, true, 4)
            rare.sps.hasTemporalVectors = true
            (rare.header.hasTemporalVectors, rare.header.isCollocatedFrom0, rare.header.collocatedIndex) = (
                true, false, 1
            )
            var weights = HEVCPredictionWeights(log2LumaDenominator: 5, log2ChromaDenominatorDelta: -3)
            let weight = HEVCPredictionWeights.Weight(delta: -128, offset: 127)
            let other = HEVCPredictionWeights.Weight(delta: 127, offset: -512)
            weights.list0 = [.init(), .init(luma: weight), .init(chroma: [other, weight])]
            weights.list1 = [.init(luma: weight, chroma: [weight, other]), .init()]
            rare.header.weights = weights
        },
    ]

    private static let slices = [
        HEVCRareCase("tiles") { rare in
            let sizes = HEVCPPS.Sizes(widthsMinus1: [0, 1], heightsMinus1: [0])
            rare.pps.tiles = .init(columns: 3, rows: 2, sizes: sizes, isFilteredAcross: false)
            rare.header.entryPoints = .init(offsetLength: 20, offsetsMinus1: [0, 1_000_000, 77, 5, 6])
        },
        HEVCRareCase("equal tiles and wavefronts") { rare in
            rare.pps.tiles = .init(columns: 2, rows: 2)
            rare.pps.hasWavefronts = true
            rare.header.entryPoints = .init(offsetLength: 32, offsetsMinus1: [0xFFFF_FFFF])
        },
        HEVCRareCase("dependent slice segment") { rare in
            rare.pps.hasDependentSlices = true
            (rare.header.isFirst, rare.header.isDependent, rare.header.address) = (false, true, 14)
        },
        HEVCRareCase("slice within a picture") { rare in
            (rare.pps.extraSliceBits, rare.pps.hasOutputFlag, rare.pps.hasSliceExtension) = (3, true, true)
            (rare.header.isFirst, rare.header.address, rare.header.reservedBits) = (false, 1, 0b101)
            (rare.header.isOutput, rare.header.extensionBytes) = (false, [0, 0, 1, 255])
        },
        HEVCRareCase("filters") { rare in
            rare.sps.hasAdaptiveOffset = true
            (rare.pps.isFilteredAcrossSlices, rare.pps.hasSliceChromaOffsets) = (true, true)
            rare.pps.deblocking = .init(isOverridable: true, isOff: true)
            rare.header.deblocking = .init(isOff: false, betaOffsetDiv2: -6, tcOffsetDiv2: 6)
            (rare.header.hasLumaOffset, rare.header.isFilteredAcrossSlices) = (true, true)
            (rare.header.qpDelta, rare.header.cbQPOffset, rare.header.crQPOffset) = (-20, 12, -12)
        },
        HEVCRareCase("BLA") { rare in
            rare.header.unit.type = .blaWithRADL
            (rare.header.kind, rare.header.discardsPrior) = (.i, true)
        },
    ]

    private static let formats = [
        HEVCRareCase("separate planes") { rare in
            (rare.sps.chromaFormat, rare.sps.hasSeparatePlanes, rare.header.colourPlane) = (3, true, 2)
            (rare.sps.lumaBits, rare.sps.chromaBits) = (16, 12)
        },
        HEVCRareCase("PCM and tools") { rare in
            rare.sps.pcm = .init(
                lumaBits: 7,
                chromaBits: 5,
                log2MinimumSize: 4,
                log2SizeDifference: 1,
                isFilterOff: true
            )
            (rare.sps.hasAsymmetricPartitions, rare.sps.isStronglySmoothed) = (true, true)
            (rare.sps.maxInterTransformDepth, rare.sps.maxIntraTransformDepth) = (4, 2)
            (rare.pps.qpDeltaDepth, rare.pps.hidesSigns, rare.pps.hasTransformSkip) = (3, true, true)
            (rare.pps.isConstrainedIntra, rare.pps.hasLosslessBlocks, rare.pps.log2ParallelMerge) = (true, true, 6)
        },
        HEVCRareCase("matrices") { rare in
            var lists = HEVCScalingLists()
            for index in 0..<20 {
                let size = min(index / 6, 3)
                let count = size == 0 ? 16 : 64
                let coded = HEVCScalingLists.List.coded(
                    dcMinus8: size > 1 ? 3 : 0,
                    deltas: (0..<count).map { $0 % 5 - 2 }
                )
                lists.lists.append(index % 3 == 0 ? coded : .predicted(index % 6 == 1 ? 1 : 0))
            }
            (rare.sps.isScaled, rare.sps.scalingLists, rare.pps.scalingLists) = (true, lists, lists)
        },
        HEVCRareCase("range extensions") { rare in
            rare.sps.extensions = HEVCSPSExtensions()
            rare.sps.extensions?.range = .init()
            rare.sps.extensions?.range?.hasHighPrecisionOffsets = true
            rare.sps.extensions?.range?.hasBypassAlignment = true
            (rare.sps.lumaBits, rare.sps.chromaBits, rare.sps.chromaFormat) = (12, 12, 3)
            rare.pps.hasTransformSkip = true
            rare.pps.extensions = HEVCPPSExtensions()
            let offsets = HEVCPPSExtensions.ChromaOffsets(
                depth: 2,
                list: [.init(cb: -12, cr: 12), .init(cb: 1, cr: 0)]
            )
            rare.pps.extensions?.range = .init(
                log2MaxTransformSkip: 5,
                hasCrossComponentPrediction: true,
                chromaOffsets: offsets,
                log2LumaOffsetScale: 2,
                log2ChromaOffsetScale: 1
            )
            rare.header.hasBlockChromaOffsets = true
            rare.pps.isWeighted = true
            let chroma = HEVCPredictionWeights.Weight(delta: 3, offset: -8192)
            rare.header.weights = HEVCPredictionWeights(
                list0: [.init(luma: .init(delta: 1, offset: 2047), chroma: [chroma, chroma])]
            )
        },
    ]
}
