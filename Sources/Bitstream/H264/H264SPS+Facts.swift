extension H264SPS {
    /// The height of a frame, in macroblocks.
    package var heightInMacroblocks: Int { heightInMapUnits * (isFrameOnly ? 1 : 2) }
    package var macroblocksInFrame: Int { widthInMacroblocks * heightInMacroblocks }

    /// ChromaArrayType: 0 too where three planes are coded as monochrome (7.4.2.1.1).
    package var chromaArrayType: Int { hasSeparatePlanes ? 0 : chromaFormat }

    /// Width and height of a frame in samples of luma, cropped (7.4.2.1.1).
    package var size: (width: Int, height: Int) {
        let crop = cropping ?? Cropping()
        let (across, down) = cropUnit
        return (
            widthInMacroblocks * 16 - (crop.left + crop.right) * across,
            heightInMacroblocks * 16 - (crop.top + crop.bottom) * down
        )
    }

    private var cropUnit: (across: Int, down: Int) {
        let across = chromaArrayType == 1 || chromaArrayType == 2 ? 2 : 1
        let down = chromaArrayType == 1 ? 2 : 1
        return (across, down * (isFrameOnly ? 1 : 2))
    }

    /// MaxFrameNum.
    package var maxFrameNum: Int { 1 << log2MaxFrameNum }
    /// MaxPicOrderCntLsb.
    package var maxOrderLSB: Int { 1 << log2MaxOrderLSB }

    /// Whether constraint_set`index`_flag is set.
    /// - Parameter index: 0 … 5.
    package func hasConstraint(_ index: Int) -> Bool { constraints >> (7 - index) & 1 == 1 }

    /// The frames that the decoded picture buffer holds for this sequence: as the SPS says, else what it implies
    /// (max_dec_frame_buffering, E.2.1). Nil for an unknown level.
    package var frameBuffering: Int? { vui?.restriction?.frameBuffering ?? inferredBuffering }

    /// Frames that may precede another in decoding and follow it in output: as the SPS says, else what it implies
    /// (max_num_reorder_frames, E.2.1). Nil for an unknown level.
    package var reorderFrames: Int? {
        if let restriction = vui?.restriction { return restriction.reorderFrames }
        // Pictures of type 2 come out in the order in which they are decoded (8.2.1.3).
        return orderType == 2 ? 0 : inferredBuffering
    }

    private var inferredBuffering: Int? {
        let intraOnly: Set<Int> = [44, 86, 100, 110, 122, 244]
        if intraOnly.contains(profile), hasConstraint(3) { return 0 }
        return H264Level(of: self)?.frames(ofMacroblocks: macroblocksInFrame)
    }

    /// Says how many frames a decoder reorders and holds; adds the part of the VUI where there is none.
    ///
    /// Where the SPS lacks these limits, a decoder that gives frames out early loses some when the first reordered one
    /// comes late.
    package mutating func restrict(reorderFrames: Int, frameBuffering: Int) {
        var usability = vui ?? H264VUI()
        var restriction =
            usability.restriction
            ?? H264VUI.Restriction(reorderFrames: reorderFrames, frameBuffering: frameBuffering)
        restriction.reorderFrames = reorderFrames
        restriction.frameBuffering = frameBuffering
        usability.restriction = restriction
        vui = usability
    }
}
