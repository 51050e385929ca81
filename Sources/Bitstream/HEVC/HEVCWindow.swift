/// A rectangle by the distances of its sides, in samples of chroma: in 4:2:0 two samples of luma (ITU-T H.265, 7.4.3.2.1).
package struct HEVCWindow: Hashable, Sendable {
    package var left = 0
    package var right = 0
    package var top = 0
    package var bottom = 0

    package init() {}

    /// - Parameter isDisplay: whether it is the VUI's default display window; only the elements' names differ.
    mutating func code(_ coder: inout SyntaxCoder, isDisplay: Bool) throws(BitstreamError) {
        let all = 0...65_535
        try coder.ue(&left, isDisplay ? "def_disp_win_left_offset" : "conf_win_left_offset", in: all)
        try coder.ue(&right, isDisplay ? "def_disp_win_right_offset" : "conf_win_right_offset", in: all)
        try coder.ue(&top, isDisplay ? "def_disp_win_top_offset" : "conf_win_top_offset", in: all)
        try coder.ue(&bottom, isDisplay ? "def_disp_win_bottom_offset" : "conf_win_bottom_offset", in: all)
    }
}
