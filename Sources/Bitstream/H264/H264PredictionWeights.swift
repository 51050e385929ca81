/// pred_weight_table(): explicit weights of reference pictures (ITU-T H.264, 7.3.3.2).
package struct H264PredictionWeights: Hashable, Sendable {
    package struct Weight: Hashable, Sendable {
        package var weight = 0
        package var offset = 0

        package init(weight: Int = 0, offset: Int = 0) {
            self.weight = weight
            self.offset = offset
        }

        fileprivate mutating func code(
            _ coder: inout SyntaxCoder,
            _ weightName: StaticString,
            _ offsetName: StaticString
        ) throws(BitstreamError) {
            try coder.se(&weight, weightName, in: -128...127)
            try coder.se(&offset, offsetName, in: -128...127)
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

    package var log2LumaDenominator = 0
    package var log2ChromaDenominator = 0
    /// One for each picture of list 0.
    package var list0: [Entry] = []
    /// One for each picture of list 1; empty in P slices.
    package var list1: [Entry] = []

    package init(
        log2LumaDenominator: Int = 0,
        log2ChromaDenominator: Int = 0,
        list0: [Entry] = [],
        list1: [Entry] = []
    ) {
        self.log2LumaDenominator = log2LumaDenominator
        self.log2ChromaDenominator = log2ChromaDenominator
        self.list0 = list0
        self.list1 = list1
    }

    /// - Parameters:
    ///   - count1: 0 in P slices.
    ///   - hasChroma: ChromaArrayType is not 0.
    mutating func code(
        _ coder: inout SyntaxCoder,
        count0: Int,
        count1: Int,
        hasChroma: Bool
    ) throws(BitstreamError) {
        try coder.ue(&log2LumaDenominator, "luma_log2_weight_denom", in: 0...7)
        if hasChroma { try coder.ue(&log2ChromaDenominator, "chroma_log2_weight_denom", in: 0...7) }
        try Self.code(&list0, count: count0, .list0, hasChroma: hasChroma, &coder)
        try Self.code(&list1, count: count1, .list1, hasChroma: hasChroma, &coder)
    }

    private static func code(
        _ list: inout [Entry],
        count: Int,
        _ names: Names,
        hasChroma: Bool,
        _ coder: inout SyntaxCoder
    ) throws(BitstreamError) {
        try coder.list(&list, count: count, of: Entry(), names.lumaFlag) { coder, entry throws(BitstreamError) in
            try coder.presence(of: &entry.luma, names.lumaFlag, else: Weight())
            try entry.luma?.code(&coder, names.lumaWeight, names.lumaOffset)
            guard hasChroma else { return }
            try coder.presence(of: &entry.chroma, names.chromaFlag, else: [])
            try entry.codeChroma(&coder, names.chromaWeight, names.chromaOffset)
        }
    }
}

/// The names of the elements that one list of reference pictures has.
private struct Names {
    let lumaFlag, lumaWeight, lumaOffset, chromaFlag, chromaWeight, chromaOffset: StaticString

    static let list0 = Names(
        lumaFlag: "luma_weight_l0_flag",
        lumaWeight: "luma_weight_l0",
        lumaOffset: "luma_offset_l0",
        chromaFlag: "chroma_weight_l0_flag",
        chromaWeight: "chroma_weight_l0",
        chromaOffset: "chroma_offset_l0"
    )

    static let list1 = Names(
        lumaFlag: "luma_weight_l1_flag",
        lumaWeight: "luma_weight_l1",
        lumaOffset: "luma_offset_l1",
        chromaFlag: "chroma_weight_l1_flag",
        chromaWeight: "chroma_weight_l1",
        chromaOffset: "chroma_offset_l1"
    )
}

extension H264PredictionWeights.Entry {
    fileprivate mutating func codeChroma(
        _ coder: inout SyntaxCoder,
        _ weightName: StaticString,
        _ offsetName: StaticString
    ) throws(BitstreamError) {
        guard var weights = chroma else { return }
        let first = H264PredictionWeights.Weight()
        try coder.list(&weights, count: 2, of: first, weightName) { coder, weight throws(BitstreamError) in
            try weight.code(&coder, weightName, offsetName)
        }
        chroma = weights
    }
}
