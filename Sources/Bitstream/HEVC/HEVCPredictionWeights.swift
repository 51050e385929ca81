/// pred_weight_table(): explicit weights of reference pictures (ITU-T H.265, 7.3.6.3).
package struct HEVCPredictionWeights: Hashable, Sendable {
    package struct Weight: Hashable, Sendable {
        /// delta_luma_weight or delta_chroma_weight.
        package var delta = 0
        /// luma_offset or delta_chroma_offset.
        package var offset = 0

        package init(delta: Int = 0, offset: Int = 0) {
            self.delta = delta
            self.offset = offset
        }
    }

    /// The weights of one reference picture; a nil component has the default weight.
    package struct Entry: Hashable, Sendable {
        package var luma: Weight?
        /// Cb and Cr.
        package var chroma: [Weight]?

        package init(luma: Weight? = nil, chroma: [Weight]? = nil) {
            self.luma = luma
            self.chroma = chroma
        }
    }

    /// What the table's syntax takes from elsewhere.
    struct Context {
        /// Pictures of list 0.
        var count0: Int
        /// Pictures of list 1; 0 in P slices.
        var count1: Int
        var hasChroma: Bool
        /// WpOffsetHalfRangeY.
        var lumaRange: Int
        /// WpOffsetHalfRangeC.
        var chromaRange: Int
    }

    package var log2LumaDenominator = 0
    package var log2ChromaDenominatorDelta = 0
    /// One for each picture of list 0.
    package var list0: [Entry] = []
    /// One for each picture of list 1; empty in P slices.
    package var list1: [Entry] = []

    package init(
        log2LumaDenominator: Int = 0,
        log2ChromaDenominatorDelta: Int = 0,
        list0: [Entry] = [],
        list1: [Entry] = []
    ) {
        self.log2LumaDenominator = log2LumaDenominator
        self.log2ChromaDenominatorDelta = log2ChromaDenominatorDelta
        self.list0 = list0
        self.list1 = list1
    }

    mutating func code(_ coder: inout SyntaxCoder, _ context: Context) throws(BitstreamError) {
        try coder.ue(&log2LumaDenominator, "luma_log2_weight_denom", in: 0...7)
        if context.hasChroma {
            try coder.se(&log2ChromaDenominatorDelta, "delta_chroma_log2_weight_denom", in: -7...7)
        }
        try Self.code(&list0, count: context.count0, .list0, context, &coder)
        try Self.code(&list1, count: context.count1, .list1, context, &coder)
    }

    /// All flags of a list stand before its weights, unlike in H.264.
    private static func code(
        _ list: inout [Entry],
        count: Int,
        _ names: Names,
        _ context: Context,
        _ coder: inout SyntaxCoder
    ) throws(BitstreamError) {
        try coder.list(&list, count: count, of: Entry(), names.lumaFlag) { coder, entry throws(BitstreamError) in
            try coder.presence(of: &entry.luma, names.lumaFlag, else: Weight())
        }
        for index in list.indices where context.hasChroma {
            try coder.presence(of: &list[index].chroma, names.chromaFlag, else: [])
        }
        for index in list.indices {
            try list[index].luma?.code(&coder, names.lumaWeight, names.lumaOffset, context.lumaRange)
            try list[index].codeChroma(&coder, names.chromaWeight, names.chromaOffset, context.chromaRange)
        }
    }
}

/// The names of the elements that one list of reference pictures has.
private struct Names {
    let lumaFlag, lumaWeight, lumaOffset, chromaFlag, chromaWeight, chromaOffset: StaticString

    static let list0 = Names(
        lumaFlag: "luma_weight_l0_flag",
        lumaWeight: "delta_luma_weight_l0",
        lumaOffset: "luma_offset_l0",
        chromaFlag: "chroma_weight_l0_flag",
        chromaWeight: "delta_chroma_weight_l0",
        chromaOffset: "chroma_offset_l0"
    )

    static let list1 = Names(
        lumaFlag: "luma_weight_l1_flag",
        lumaWeight: "delta_luma_weight_l1",
        lumaOffset: "luma_offset_l1",
        chromaFlag: "chroma_weight_l1_flag",
        chromaWeight: "delta_chroma_weight_l1",
        chromaOffset: "chroma_offset_l1"
    )
}

extension HEVCPredictionWeights.Weight {
    fileprivate mutating func code(
        _ coder: inout SyntaxCoder,
        _ weightName: StaticString,
        _ offsetName: StaticString,
        _ range: Int
    ) throws(BitstreamError) {
        try coder.se(&delta, weightName, in: -128...127)
        try coder.se(&offset, offsetName, in: -range...(range - 1))
    }
}

extension HEVCPredictionWeights.Entry {
    fileprivate mutating func codeChroma(
        _ coder: inout SyntaxCoder,
        _ weightName: StaticString,
        _ offsetName: StaticString,
        _ range: Int
    ) throws(BitstreamError) {
        guard var weights = chroma else { return }
        let first = HEVCPredictionWeights.Weight()
        try coder.list(&weights, count: 2, of: first, weightName) { coder, weight throws(BitstreamError) in
            try weight.code(&coder, weightName, offsetName, 4 * range)
        }
        chroma = weights
    }
}
