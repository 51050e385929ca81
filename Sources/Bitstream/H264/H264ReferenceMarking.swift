/// dec_ref_pic_marking(): which pictures stay references (ITU-T H.264, 7.3.3.3).
package enum H264ReferenceMarking: Hashable, Sendable {
    /// The marking of an IDR picture, which ends the use of all others as references.
    /// - Parameters:
    ///   - discardsPrior: no_output_of_prior_pics_flag.
    ///   - isLongTerm: long_term_reference_flag.
    case idr(discardsPrior: Bool, isLongTerm: Bool)
    /// The oldest short-term reference makes room.
    case slidingWindow
    /// adaptive_ref_pic_marking_mode_flag.
    case adaptive([Operation])

    /// memory_management_control_operation.
    package enum Operation: Hashable, Sendable {
        /// 1, difference_of_pic_nums_minus1.
        case forgetShortTerm(Int)
        /// 2, long_term_pic_num.
        case forgetLongTerm(Int)
        /// 3, difference_of_pic_nums_minus1 and long_term_frame_idx.
        case makeLongTerm(Int, index: Int)
        /// 4, max_long_term_frame_idx_plus1.
        case limitLongTerm(Int)
        /// 5: all pictures are references no more.
        case forgetAll
        /// 6, long_term_frame_idx of the picture itself.
        case makeCurrentLongTerm(index: Int)
    }

    /// Whether any operation has to do with long-term references.
    package var usesLongTerm: Bool {
        switch self {
        case .idr(_, let isLongTerm): isLongTerm
        case .slidingWindow: false
        case .adaptive(let operations):
            operations.contains { operation in
                switch operation {
                case .forgetShortTerm, .forgetAll, .limitLongTerm(0): false
                default: true
                }
            }
        }
    }

    /// Whether operation 5 makes the picture like an IDR picture (8.2.1).
    package var forgetsAll: Bool {
        if case .adaptive(let operations) = self { operations.contains(.forgetAll) } else { false }
    }

    mutating func code(_ coder: inout SyntaxCoder, isIDR: Bool) throws(BitstreamError) {
        if isIDR {
            guard case .idr(var discardsPrior, var isLongTerm) = self else {
                throw coder.error(.outOfRange(0), "dec_ref_pic_marking")
            }
            try coder.flag(&discardsPrior, "no_output_of_prior_pics_flag")
            try coder.flag(&isLongTerm, "long_term_reference_flag")
            self = .idr(discardsPrior: discardsPrior, isLongTerm: isLongTerm)
            return
        }
        var operations: [Operation]?
        switch self {
        case .idr: throw coder.error(.outOfRange(1), "dec_ref_pic_marking")
        case .slidingWindow: break
        case .adaptive(let list): operations = list
        }
        try coder.presence(of: &operations, "adaptive_ref_pic_marking_mode_flag", else: [])
        guard var list = operations else {
            self = .slidingWindow
            return
        }
        try Operation.code(&list, &coder)
        self = .adaptive(list)
    }
}

extension H264ReferenceMarking.Operation {
    private var number: Int {
        switch self {
        case .forgetShortTerm: 1
        case .forgetLongTerm: 2
        case .makeLongTerm: 3
        case .limitLongTerm: 4
        case .forgetAll: 5
        case .makeCurrentLongTerm: 6
        }
    }

    fileprivate static func code(_ list: inout [Self], _ coder: inout SyntaxCoder) throws(BitstreamError) {
        var index = 0
        while true {
            var number = index < list.count ? list[index].number : 0
            try coder.ue(&number, "memory_management_control_operation", in: 0...6)
            guard number > 0 else { return }
            if coder.isReading { list.append(first(number)) }
            try list[index].code(&coder)
            index += 1
        }
    }

    private static func first(_ number: Int) -> Self {
        switch number {
        case 1: .forgetShortTerm(0)
        case 2: .forgetLongTerm(0)
        case 3: .makeLongTerm(0, index: 0)
        case 4: .limitLongTerm(0)
        case 5: .forgetAll
        default: .makeCurrentLongTerm(index: 0)
        }
    }

    private mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        switch self {
        case .forgetShortTerm(var difference):
            try coder.ue(&difference, "difference_of_pic_nums_minus1", in: 0...0x1_FFFF)
            self = .forgetShortTerm(difference)
        case .forgetLongTerm(var number):
            try coder.ue(&number, "long_term_pic_num", in: 0...31)
            self = .forgetLongTerm(number)
        case .makeLongTerm(var difference, var index):
            try coder.ue(&difference, "difference_of_pic_nums_minus1", in: 0...0x1_FFFF)
            try coder.ue(&index, "long_term_frame_idx", in: 0...15)
            self = .makeLongTerm(difference, index: index)
        case .limitLongTerm(var limit):
            try coder.ue(&limit, "max_long_term_frame_idx_plus1", in: 0...16)
            self = .limitLongTerm(limit)
        case .forgetAll: break
        case .makeCurrentLongTerm(var index):
            try coder.ue(&index, "long_term_frame_idx", in: 0...15)
            self = .makeCurrentLongTerm(index: index)
        }
    }
}
