/// scaling_list_data(): quantiser weights, as they are coded (ITU-T H.265, 7.3.4).
package struct HEVCScalingLists: Hashable, Sendable {
    package enum List: Hashable, Sendable {
        /// scaling_list_pred_matrix_id_delta: as another list, or the default one for 0.
        case predicted(Int)
        /// scaling_list_dc_coef_minus8, for 16 × 16 and 32 × 32, and scaling_list_delta_coef.
        case coded(dcMinus8: Int, deltas: [Int])
    }

    /// Six for each of 4 × 4, 8 × 8 and 16 × 16, and two for 32 × 32.
    package var lists: [List] = []

    package init() {}

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var index = 0
        try coder.list(&lists, count: 20, of: .predicted(0), "scaling_list_pred_mode_flag") {
            coder,
            list throws(BitstreamError) in
            let size = min(index / 6, 3)
            let matrix = index - size * 6
            index += 1
            var isCoded = if case .coded = list { true } else { false }
            try coder.flag(&isCoded, "scaling_list_pred_mode_flag")
            if coder.isReading, isCoded { list = .coded(dcMinus8: 0, deltas: []) }
            switch list {
            case .predicted(var delta):
                try coder.ue(&delta, "scaling_list_pred_matrix_id_delta", in: 0...matrix)
                list = .predicted(delta)
            case .coded(var dcMinus8, var deltas):
                if size > 1 { try coder.se(&dcMinus8, "scaling_list_dc_coef_minus8", in: -7...247) }
                let count = min(64, 16 << (2 * size))
                try coder.list(&deltas, count: count, of: 0, "scaling_list_delta_coeff") {
                    coder,
                    delta throws(BitstreamError) in
                    try coder.se(&delta, "scaling_list_delta_coeff", in: -128...127)
                }
                list = .coded(dcMinus8: dcMinus8, deltas: deltas)
            }
        }
    }
}
