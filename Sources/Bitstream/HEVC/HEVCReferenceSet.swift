/// st_ref_pic_set(): the short-term reference pictures of a picture (ITU-T H.265, 7.3.7).
package struct HEVCReferenceSet: Hashable, Sendable {
    package struct Picture: Hashable, Sendable {
        /// Its picture order count less that of the current picture.
        package var delta: Int
        /// Whether the current picture may refer to it; otherwise later ones do.
        package var isUsed: Bool

        package init(delta: Int, isUsed: Bool) {
            self.delta = delta
            self.isUsed = isUsed
        }
    }

    /// How the set is coded as another one that is moved.
    package struct Prediction: Hashable, Sendable {
        /// delta_idx_minus1; 0 in an SPS, where it is not coded.
        package var deltaIndexMinus1 = 0
        /// What is added to the other set's picture order counts: deltaRps, not 0.
        package var shift = 1
        /// used_by_curr_pic_flag, one for each picture of the other set and one for the other picture itself.
        package var isUsed: [Bool] = []
        /// use_delta_flag: true wherever ``isUsed`` is.
        package var isKept: [Bool] = []

        package init(deltaIndexMinus1: Int = 0, shift: Int = 1, isUsed: [Bool] = [], isKept: [Bool] = []) {
            self.deltaIndexMinus1 = deltaIndexMinus1
            self.shift = shift
            self.isUsed = isUsed
            self.isKept = isKept
        }
    }

    /// The pictures that precede the current one in output order, the nearest first.
    package var before: [Picture] = []
    /// The pictures that follow the current one in output order, the nearest first.
    package var after: [Picture] = []
    /// Nil where the pictures are listed. While writing, ``before`` and ``after`` follow from it.
    package var prediction: Prediction?

    package init(before: [Picture] = [], after: [Picture] = [], prediction: Prediction? = nil) {
        self.before = before
        self.after = after
        self.prediction = prediction
    }

    package var count: Int { before.count + after.count }
    package var usedCount: Int { (before + after).count { $0.isUsed } }

    /// - Parameters:
    ///   - index: of the set among those of the SPS; their number in a slice header.
    ///   - sets: those of the SPS before this one.
    ///   - isInSlice: whether the set stands in a slice header.
    mutating func code(
        _ coder: inout SyntaxCoder,
        index: Int,
        _ sets: [HEVCReferenceSet],
        isInSlice: Bool
    ) throws(BitstreamError) {
        if index > 0 {
            try coder.presence(of: &prediction, "inter_ref_pic_set_prediction_flag", else: Prediction())
        } else if prediction != nil {
            throw coder.error(.outOfRange(1), "inter_ref_pic_set_prediction_flag")
        }
        guard var rule = prediction else { return try codeLists(&coder) }
        if isInSlice { try coder.ue(&rule.deltaIndexMinus1, "delta_idx_minus1", in: 0...(index - 1)) }
        guard sets.indices.contains(index - 1 - rule.deltaIndexMinus1) else {
            throw coder.error(.outOfRange(rule.deltaIndexMinus1), "delta_idx_minus1")
        }
        let other = sets[index - 1 - rule.deltaIndexMinus1]
        try rule.code(&coder, count: other.count + 1)
        prediction = rule
        derive(from: other, rule)
        guard count < 16 else { throw coder.error(.outOfRange(count), "use_delta_flag") }
    }

    private mutating func codeLists(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var (negative, positive) = (before.count, after.count)
        try coder.ue(&negative, "num_negative_pics", in: 0...15)
        try coder.ue(&positive, "num_positive_pics", in: 0...(15 - negative))
        var last = 0
        let first = Picture(delta: 0, isUsed: false)
        try coder.list(&before, count: negative, of: first, "delta_poc_s0_minus1") {
            coder,
            picture throws(BitstreamError) in
            var step = last &- picture.delta &- 1
            try coder.ue(&step, "delta_poc_s0_minus1", in: 0...32_767)
            last -= step + 1
            picture.delta = last
            try coder.flag(&picture.isUsed, "used_by_curr_pic_s0_flag")
        }
        last = 0
        try coder.list(&after, count: positive, of: first, "delta_poc_s1_minus1") {
            coder,
            picture throws(BitstreamError) in
            var step = picture.delta &- last &- 1
            try coder.ue(&step, "delta_poc_s1_minus1", in: 0...32_767)
            last += step + 1
            picture.delta = last
            try coder.flag(&picture.isUsed, "used_by_curr_pic_s1_flag")
        }
    }

    /// Equations 7-61 and 7-62: the other set's pictures, and the other picture itself, moved and sorted by distance.
    private mutating func derive(from other: HEVCReferenceSet, _ rule: Prediction) {
        let pictures = (other.before + other.after).map(\.delta) + [0]
        var moved: [Picture] = []
        for (index, delta) in pictures.enumerated() where rule.isKept[index] {
            moved.append(Picture(delta: delta + rule.shift, isUsed: rule.isUsed[index]))
        }
        before = moved.filter { $0.delta < 0 }.sorted { $0.delta > $1.delta }
        after = moved.filter { $0.delta > 0 }.sorted { $0.delta < $1.delta }
    }
}

extension HEVCReferenceSet.Prediction {
    fileprivate mutating func code(_ coder: inout SyntaxCoder, count: Int) throws(BitstreamError) {
        var isNegative = shift < 0
        var distance = abs(shift)
        try coder.flag(&isNegative, "delta_rps_sign")
        try coder.ue(&distance, plus: 1, "abs_delta_rps_minus1", in: 0...32_767)
        shift = isNegative ? -distance : distance
        if coder.isReading {
            isUsed = [Bool](repeating: false, count: count)
            isKept = [Bool](repeating: true, count: count)
        }
        guard isUsed.count == count, isKept.count == count else {
            throw coder.error(.outOfRange(isUsed.count), "used_by_curr_pic_flag")
        }
        for index in 0..<count {
            try coder.flag(&isUsed[index], "used_by_curr_pic_flag")
            if isUsed[index] {
                isKept[index] = true
            } else {
                try coder.flag(&isKept[index], "use_delta_flag")
            }
        }
    }
}
