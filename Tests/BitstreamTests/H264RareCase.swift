import Bitstream
import Testing

/// Headers that x264 does not write: parameter sets and a slice that uses them.
struct H264RareCase: CustomTestStringConvertible, Sendable {
    let name: String
    var sps = H264SPS()
    var pps = H264PPS()
    var header = H264SliceHeader()

    var testDescription: String { name }

    /// - Parameter change: what makes it rare.
    private init(_ name: String, _ change: (inout H264RareCase) -> Void) {
        self.name = name
        (sps.id, sps.widthInMacroblocks, sps.heightInMapUnits, sps.level) = (9, 20, 12, 40)
        (sps.log2MaxFrameNum, sps.log2MaxOrderLSB, sps.maxReferenceFrames) = (7, 9, 4)
        (pps.id, pps.spsID) = (70, 9)
        (header.ppsID, header.typeNumber, header.referenceIDC, header.frameNum) = (70, 5, 2, 77)
        header.marking = .slidingWindow
        header.orderLSB = 300
        change(&self)
    }

    static let all = orders + fields + references + groups + formats

    private static let orders = [
        H264RareCase("order type 1") { rare in
            (rare.sps.orderType, rare.sps.log2MaxOrderLSB) = (1, 4)
            rare.sps.orderCycle.offsetForNonReference = -3
            rare.sps.orderCycle.offsetTopToBottom = 1_000_000
            rare.sps.orderCycle.offsets = [2, -40_000, 0, 2_147_483_647]
            rare.pps.hasBottomOrder = true
            (rare.header.orderLSB, rare.header.orderDelta0, rare.header.orderDelta1) = (0, -70_000, 5)
        },
        H264RareCase("order type 1 without differences") { rare in
            (rare.sps.orderType, rare.sps.log2MaxOrderLSB) = (1, 4)
            rare.sps.orderCycle.isDeltaZero = true
            rare.header.orderLSB = 0
        },
        H264RareCase("bottom order") { rare in
            rare.pps.hasBottomOrder = true
            rare.header.orderDeltaBottom = -1
        },
        H264RareCase("gaps") { $0.sps.allowsFrameNumGaps = true },
    ]

    private static let fields = [
        H264RareCase("top field") { rare in
            rare.sps.isFrameOnly = false
            rare.sps.infersDirect8x8 = true
            rare.pps.hasBottomOrder = true
            rare.header.isField = true
        },
        H264RareCase("bottom field") { rare in
            rare.sps.isFrameOnly = false
            rare.header.isField = true
            rare.header.isBottomField = true
            rare.header.modifications0 = [.add(1)]
        },
        H264RareCase("MBAFF") { rare in
            rare.sps.isFrameOnly = false
            rare.sps.isAdaptiveFrameField = true
        },
    ]

    private static let references = [
        H264RareCase("long-term references") { rare in
            rare.header.modifications0 = [.longTerm(3), .subtract(0), .add(15), .subtract(100)]
            rare.header.marking = .adaptive([
                .limitLongTerm(4), .forgetLongTerm(2), .makeLongTerm(7, index: 1), .forgetShortTerm(0),
                .makeCurrentLongTerm(index: 3),
            ])
        },
        H264RareCase("forgets all") { $0.header.marking = .adaptive([.forgetAll]) },
        H264RareCase("nothing to forget") { $0.header.marking = .adaptive([]) },
        H264RareCase("long-term IDR") { rare in
            rare.header.unitType = .idrSlice
            (rare.header.typeNumber, rare.header.idrID, rare.header.frameNum) = (7, 65_535, 0)
            rare.header.marking = .idr(discardsPrior: true, isLongTerm: true)
        },
        H264RareCase("no reference") { rare in
            rare.header.referenceIDC = 0
            rare.header.marking = nil
        },
        H264RareCase("weights in B") { rare in
            rare.pps.weightedBipredIDC = 1
            (rare.header.typeNumber, rare.header.overridesReferences, rare.header.isDirectSpatial) = (6, true, true)
            (rare.header.activeReferences0, rare.header.activeReferences1) = (3, 2)
            rare.header.modifications1 = [.subtract(5), .subtract(6)]
            var weights = H264PredictionWeights()
            (weights.log2LumaDenominator, weights.log2ChromaDenominator) = (7, 3)
            let weight = H264PredictionWeights.Weight(weight: -128, offset: 127)
            let other = H264PredictionWeights.Weight(weight: 127, offset: -128)
            weights.list0 = [.init(), .init(luma: weight, chroma: nil), .init(luma: nil, chroma: [weight, other])]
            weights.list1 = [.init(luma: other, chroma: [other, weight]), .init()]
            rare.header.weights = weights
        },
        H264RareCase("redundant picture") { rare in
            rare.pps.hasRedundantCount = true
            rare.header.redundantCount = 127
            rare.header.firstMacroblock = 100
        },
        H264RareCase("SP slice") { rare in
            (rare.sps.profile, rare.header.typeNumber) = (88, 3)
            rare.header.isSwitchingPicture = true
            (rare.header.qsDelta, rare.header.qpDelta) = (-5, 10)
        },
        H264RareCase("SI slice") { rare in
            (rare.sps.profile, rare.header.typeNumber, rare.header.qsDelta) = (88, 9, 12)
        },
    ]

    private static func group(_ name: String, _ count: Int, _ map: H264SliceGroups.Map) -> H264RareCase {
        H264RareCase("slice groups, " + name) { rare in
            rare.sps.profile = 66
            var groups = H264SliceGroups()
            (groups.count, groups.map) = (count, map)
            rare.pps.sliceGroups = groups
            if groups.changeRate != nil { rare.header.groupChangeCycle = 5 }
        }
    }

    private static let groups = [
        group("interleaved", 3, .interleaved(runs: [0, 20, 239])), group("dispersed", 8, .dispersed),
        group("foreground", 3, .foreground([.init(topLeft: 0, bottomRight: 5), .init(topLeft: 30, bottomRight: 99)])),
        group("box-out", 2, .changing(type: 3, isReversed: true, rateMinus1: 14)),
        group("raster", 2, .changing(type: 4, isReversed: false, rateMinus1: 20)),
        group("wipe", 2, .changing(type: 5, isReversed: false, rateMinus1: 0)),
        group("explicit", 5, .explicit((0..<240).map { $0 % 5 })),
        group("explicit, two", 2, .explicit((0..<240).map { $0 % 2 })),
    ]

    private static let formats = [
        H264RareCase("separate planes") { rare in
            (rare.sps.profile, rare.sps.chromaFormat, rare.sps.hasSeparatePlanes) = (244, 3, true)
            (rare.sps.lumaBits, rare.sps.chromaBits, rare.sps.isLosslessAtZero) = (14, 9, true)
            rare.header.colourPlane = 2
            rare.pps.isWeighted = true
            rare.pps.initialQP = -10
            var weights = H264PredictionWeights()
            weights.list0 = [.init(luma: .init(weight: 1, offset: 2), chroma: nil)]
            rare.header.weights = weights
        },
        H264RareCase("matrices") { rare in
            var (first, second) = (H264ScalingList(), H264ScalingList())
            first.deltas = [-8]
            second.deltas = [Int](repeating: 1, count: 16)
            rare.sps.scalingLists = [first, nil, second, nil, nil, nil, first, nil]
            var high = H264PPS.High()
            (high.has8x8Transform, high.secondChromaQPOffset) = (true, -12)
            high.scalingLists = [nil, second, nil, nil, first, nil, nil, first]
            rare.pps.high = high
            rare.pps.hasDeblockingControl = true
            rare.header.deblocking = .init(disableIDC: 2, alphaOffsetDiv2: -6, betaOffsetDiv2: 6)
        },
        H264RareCase("usability") { rare in
            var vui = H264VUI()
            vui.aspectRatio = AspectRatio(width: 1234, height: 65_535)
            vui.isOverscanAppropriate = true
            vui.signal = VideoSignal(format: 2, isFullRange: true, colour: .init(primaries: 1, transfer: 13, matrix: 0))
            vui.chromaLocation = ChromaLocation(top: 5, bottom: 0)
            vui.timing = .init(unitsInTick: 1, timeScale: 0xFFFF_FFFF, isFixedRate: true)
            var hrd = H264HRD()
            (hrd.bitRateScale, hrd.sizeScale, hrd.timeOffsetLength, hrd.removalDelayLength) = (15, 3, 31, 32)
            hrd.schedules = [
                .init(bitRateMinus1: 0xFFFF_FFFE, sizeMinus1: 0, isConstantRate: true),
                .init(bitRateMinus1: 5, sizeMinus1: 700_000, isConstantRate: false),
            ]
            vui.nalHRD = hrd
            hrd.schedules.removeLast()
            vui.vclHRD = hrd
            (vui.isLowDelay, vui.hasPictureStructure) = (true, true)
            vui.restriction = .init(reorderFrames: 3, frameBuffering: 16)
            vui.restriction?.log2MaxVerticalVector = 9
            rare.sps.vui = vui
            rare.sps.cropping = .init(left: 1, right: 2, top: 3, bottom: 4)
            rare.sps.constraints = 0b1010_1100
        },
    ]
}
