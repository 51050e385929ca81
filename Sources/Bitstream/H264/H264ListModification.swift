/// One step that changes a list of reference pictures (ITU-T H.264, 7.3.3.1).
package enum H264ListModification: Hashable, Sendable {
    /// abs_diff_pic_num_minus1, to be subtracted.
    case subtract(Int)
    /// abs_diff_pic_num_minus1, to be added.
    case add(Int)
    /// long_term_pic_num.
    case longTerm(Int)

    private var operation: Int {
        switch self {
        case .subtract: 0
        case .add: 1
        case .longTerm: 2
        }
    }

    private var value: Int {
        switch self {
        case .subtract(let value), .add(let value), .longTerm(let value): value
        }
    }

    /// The steps of one list and the end mark.
    static func code(_ list: inout [H264ListModification], _ coder: inout SyntaxCoder) throws(BitstreamError) {
        var index = 0
        if coder.isReading { list = [] }
        while true {
            var operation = index < list.count ? list[index].operation : 3
            // 4 and 5 are for MVC.
            try coder.ue(&operation, "modification_of_pic_nums_idc", in: 0...3)
            guard operation < 3 else { return }
            var value = index < list.count ? list[index].value : 0
            if operation == 2 {
                try coder.ue(&value, "long_term_pic_num", in: 0...0xFFFF)
            } else {
                try coder.ue(&value, "abs_diff_pic_num_minus1", in: 0...0x1_FFFF)
            }
            if coder.isReading {
                list.append(operation == 0 ? .subtract(value) : operation == 1 ? .add(value) : .longTerm(value))
            }
            index += 1
        }
    }
}
