/// What the header of a picture says that is coded by itself: pictures of which all of this is equal can stand in one
/// track.
package struct IntraPictureHeader: Hashable, Sendable {
    /// Samples of luma in a row.
    package var width: Int
    /// Rows of luma: of the whole frame, or of one field where each is coded as a picture.
    package var height: Int
    /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4 or RGB, and any other sampling.
    package var chromaFormat: Int
    /// Bits of a sample; 0 where the header does not say.
    package var bits: Int
    /// Whether the picture has two fields or is one.
    package var isInterlaced: Bool
    package var hasAlpha: Bool
    /// What else of the header a decoder goes by, as numbers of the codec's own.
    package var traits: [Int]

    package init(
        width: Int,
        height: Int,
        chromaFormat: Int,
        bits: Int,
        isInterlaced: Bool,
        hasAlpha: Bool,
        traits: [Int] = []
    ) {
        self.width = width
        self.height = height
        self.chromaFormat = chromaFormat
        self.bits = bits
        self.isInterlaced = isInterlaced
        self.hasAlpha = hasAlpha
        self.traits = traits
    }
}
