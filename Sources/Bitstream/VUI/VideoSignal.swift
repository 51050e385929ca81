/// What the sample values mean (ITU-T H.264 and H.265, E.2.1 and E.3.1).
package struct VideoSignal: Hashable, Sendable {
    /// Code points of ITU-T H.273; 2 is unspecified.
    package struct Colour: Hashable, Sendable {
        package var primaries: Int
        package var transfer: Int
        package var matrix: Int

        package init(primaries: Int, transfer: Int, matrix: Int) {
            self.primaries = primaries
            self.transfer = transfer
            self.matrix = matrix
        }
    }

    /// video_format: 5 is unspecified.
    package var format: Int
    package var isFullRange: Bool
    /// Nil where nothing is said.
    package var colour: Colour?

    package init(format: Int = 5, isFullRange: Bool = false, colour: Colour? = nil) {
        self.format = format
        self.isFullRange = isFullRange
        self.colour = colour
    }

    mutating func code(_ coder: inout SyntaxCoder) throws(BitstreamError) {
        try coder.u(3, &format, "video_format")
        try coder.flag(&isFullRange, "video_full_range_flag")
        let unspecified = Colour(primaries: 2, transfer: 2, matrix: 2)
        try coder.presence(of: &colour, "colour_description_present_flag", else: unspecified)
        guard var known = colour else { return }
        try coder.u(8, &known.primaries, "colour_primaries")
        try coder.u(8, &known.transfer, "transfer_characteristics")
        try coder.u(8, &known.matrix, "matrix_coefficients")
        colour = known
    }
}
