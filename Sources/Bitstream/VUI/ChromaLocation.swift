/// Where the samples of chroma lie: types 0 … 5 of ITU-T H.264 and H.265, figure E-1.
package struct ChromaLocation: Hashable, Sendable {
    package var top: Int
    package var bottom: Int

    package init(top: Int = 0, bottom: Int = 0) {
        self.top = top
        self.bottom = bottom
    }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.ue(&top, "chroma_sample_loc_type_top_field", in: 0...5)
        try coder.ue(&bottom, "chroma_sample_loc_type_bottom_field", in: 0...5)
    }
}
