extension VideoEncoding {
    /// Encodes about as finely as the pictures of a source are coded (docs/copying.md).
    ///
    /// x264's rate factor gives other quantisers to other pictures: measured, their mean is 1 to 7 steps larger, so that
    /// a factor does not follow from quantisers. A steady encoder (``isSteady``) has one for all P pictures, whatever they show.
    /// Slices of HEVC name a quantiser from which most of their coding units are finer: measured, x265's by 3 to 4 steps.
    /// - Parameter quantiser: the source's mean quantiser in thousandths (``CopyFacts/quantiserThousandths``).
    package mutating func match(quantiser: Int) {
        isSteady = true
        // Encoding coded pictures again loses most where they are coded coarsely: there it has to be finer.
        let finer = min(max((quantiser - 10_000) / 3, 0), 5000)
        let inSlices = codec == .hevc ? 3500 : 0
        crfThousandths = min(max(quantiser - finer - inSlices, 1000), 51_000)
    }
}
