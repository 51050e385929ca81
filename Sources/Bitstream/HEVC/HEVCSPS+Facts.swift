extension HEVCSPS {
    /// ChromaArrayType: 0 too where three planes are coded as monochrome.
    package var chromaArrayType: Int { hasSeparatePlanes ? 0 : chromaFormat }

    /// Width and height of what is shown, in samples of luma (7.4.3.2.1).
    package var size: (width: Int, height: Int) {
        let window = conformanceWindow ?? HEVCWindow()
        let across = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
        let down = chromaFormat == 1 ? 2 : 1
        return (width - (window.left + window.right) * across, height - (window.top + window.bottom) * down)
    }

    /// MaxPicOrderCntLsb.
    package var maxOrderLSB: Int { 1 << log2MaxOrderLSB }

    /// PicSizeInCtbsY: coding tree blocks of a picture.
    package var treeBlocks: Int {
        let size = 1 << (log2MinimumCodingBlock + log2CodingBlockDifference)
        return ((width + size - 1) / size) * ((height + size - 1) / size)
    }

    /// Pictures that a decoder holds and reorders when it decodes all sub-layers.
    package var highestBuffering: HEVCBuffering { buffering.last ?? HEVCBuffering() }

    /// Says nothing of a buffer any more. Buffering period messages then have no meaning and must go too; picture timing
    /// messages become shorter.
    package mutating func removeHRD() { vui?.hrd = nil }
}
