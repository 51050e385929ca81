/// Follows frame_num, to see where one is left out (ITU-T H.264, 7.4.3).
struct H264FrameNumbers: Hashable, Sendable {
    /// PrevRefFrameNum; nil before the first picture.
    private var previous: Int?

    /// Takes the next picture in decoding order.
    /// - Returns: whether frame numbers were left out before it.
    mutating func next(_ header: H264SliceHeader, _ sps: H264SPS, endsSequence: Bool) -> Bool {
        var isGap = false
        if let previous, !header.isIDR {
            isGap = header.frameNum != previous && header.frameNum != (previous + 1) % sps.maxFrameNum
        }
        if header.isReference || isGap { previous = header.frameNum }
        // A picture that forgets all others counts as number 0.
        if header.marking?.forgetsAll == true { previous = 0 }
        if endsSequence { previous = nil }
        return isGap
    }
}
