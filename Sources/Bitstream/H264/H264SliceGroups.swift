/// The map from macroblocks to slice groups: flexible macroblock ordering (ITU-T H.264, 7.3.2.2).
package struct H264SliceGroups: Hashable, Sendable {
    package enum Map: Hashable, Sendable {
        /// Type 0, run_length_minus1 of each group.
        case interleaved(runs: [Int])
        /// Type 1: neighbouring map units belong to different groups.
        case dispersed
        /// Type 2: top_left and bottom_right of each group but the last.
        case foreground([Rectangle])
        /// Types 3 … 5: box-out, raster scan, wipe.
        case changing(type: Int, isReversed: Bool, rateMinus1: Int)
        /// Type 6: a group for each map unit.
        case explicit([Int])
    }

    package struct Rectangle: Hashable, Sendable {
        package var topLeft = 0
        package var bottomRight = 0

        package init(topLeft: Int = 0, bottomRight: Int = 0) {
            self.topLeft = topLeft
            self.bottomRight = bottomRight
        }
    }

    /// The number of groups, 2 … 8.
    package var count = 2
    package var map = Map.dispersed

    package init() {}

    /// slice_group_map_type, 0 … 6.
    package var type: Int {
        switch map {
        case .interleaved: 0
        case .dispersed: 1
        case .foreground: 2
        case .changing(let type, _, _): type
        case .explicit: 6
        }
    }

    /// SliceGroupChangeRate, in map units; nil where the groups do not change.
    package var changeRate: Int? {
        if case .changing(_, _, let rateMinus1) = map { rateMinus1 + 1 } else { nil }
    }

    /// Everything behind num_slice_groups_minus1.
    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        var kind = type
        try coder.ue(&kind, "slice_group_map_type", in: 0...6)
        if coder.isReading { map = Self.empty(kind) }
        switch map {
        case .interleaved(var runs):
            try coder.list(&runs, count: count, of: 0, "run_length_minus1") { coder, run throws(BitstreamError) in
                try coder.ue(&run, "run_length_minus1", in: 0...Self.maximum)
            }
            map = .interleaved(runs: runs)
        case .dispersed: break
        case .foreground(var rectangles):
            try coder.list(&rectangles, count: count - 1, of: Rectangle(), "top_left") {
                coder,
                rectangle throws(BitstreamError) in
                try coder.ue(&rectangle.topLeft, "top_left", in: 0...Self.maximum)
                try coder.ue(&rectangle.bottomRight, "bottom_right", in: rectangle.topLeft...Self.maximum)
            }
            map = .foreground(rectangles)
        case .changing(let type, var isReversed, var rateMinus1):
            try coder.flag(&isReversed, "slice_group_change_direction_flag")
            try coder.ue(&rateMinus1, "slice_group_change_rate_minus1", in: 0...Self.maximum)
            map = .changing(type: type, isReversed: isReversed, rateMinus1: rateMinus1)
        case .explicit(var groups):
            try code(&groups, &coder)
            map = .explicit(groups)
        }
    }

    /// Map units of the largest picture, less 1.
    private static let maximum = 139_263

    private static func empty(_ type: Int) -> Map {
        switch type {
        case 0: .interleaved(runs: [])
        case 1: .dispersed
        case 2: .foreground([])
        case 6: .explicit([])
        default: .changing(type: type, isReversed: false, rateMinus1: 0)
        }
    }

    private func code(_ groups: inout [Int], _ coder: inout SyntaxCoder) throws(BitstreamError) {
        var units = groups.count
        try coder.ue(&units, plus: 1, "pic_size_in_map_units_minus1", in: 0...Self.maximum)
        // Ceil(Log2(num_slice_groups_minus1 + 1)) bits (7.4.2.2).
        let bits = count > 4 ? 3 : count > 2 ? 2 : 1
        let last = count - 1
        try coder.list(&groups, count: units, of: 0, "slice_group_id") { coder, group throws(BitstreamError) in
            try coder.u(bits, &group, "slice_group_id", in: 0...last)
        }
    }
}
