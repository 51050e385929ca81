/// Computes picture order counts: the order of output (ITU-T H.264, 8.2.1).
package struct H264PictureOrder: Hashable, Sendable {
    /// TopFieldOrderCnt and BottomFieldOrderCnt.
    package struct Count: Hashable, Sendable {
        /// Nil in a bottom field.
        package var top: Int?
        /// Nil in a top field.
        package var bottom: Int?

        package init(top: Int? = nil, bottom: Int? = nil) {
            self.top = top
            self.bottom = bottom
        }

        /// PicOrderCnt( ): the smaller of the two.
        package var value: Int { min(top ?? .max, bottom ?? .max) }
    }

    /// prevPicOrderCntMsb and prevPicOrderCntLsb, of the last reference picture; type 0.
    private var previousMSB = 0
    private var previousLSB = 0
    /// prevFrameNumOffset and prevFrameNum, of the last picture; types 1 and 2.
    private var previousOffset = 0
    private var previousFrameNum = 0

    package init() {}

    /// Takes the first slice of the next picture in decoding order. Counts begin anew at each IDR picture.
    package mutating func next(_ header: H264SliceHeader, _ sps: H264SPS) -> Count {
        if header.isIDR { self = H264PictureOrder() }
        var count =
            switch sps.orderType {
            case 0: lsbCount(header, sps)
            case 1: cycleCount(header, sps)
            default: decodingCount(header, sps)
            }
        guard header.marking?.forgetsAll == true else { return count }
        // The picture keeps its place; those behind it count from it as from an IDR picture (8.2.1, at the end).
        let kept = count
        let base = count.value
        count.top = count.top.map { $0 - base }
        count.bottom = count.bottom.map { $0 - base }
        previousMSB = 0
        previousLSB = header.isField && header.isBottomField ? 0 : count.top ?? 0
        previousOffset = 0
        previousFrameNum = 0
        return kept
    }

    /// Type 0: the low bits are coded (8.2.1.1).
    private mutating func lsbCount(_ header: H264SliceHeader, _ sps: H264SPS) -> Count {
        let size = sps.maxOrderLSB
        var msb = previousMSB
        if header.orderLSB < previousLSB, previousLSB - header.orderLSB >= size / 2 { msb += size }
        if header.orderLSB > previousLSB, header.orderLSB - previousLSB > size / 2 { msb -= size }
        if header.isReference {
            previousMSB = msb
            previousLSB = header.orderLSB
        }
        let first = msb + header.orderLSB
        if header.isField {
            return header.isBottomField ? Count(top: nil, bottom: first) : Count(top: first, bottom: nil)
        }
        return Count(top: first, bottom: first + header.orderDeltaBottom)
    }

    /// FrameNumOffset of 8.2.1.2 and 8.2.1.3.
    private mutating func frameOffset(_ header: H264SliceHeader, _ sps: H264SPS) -> Int {
        if previousFrameNum > header.frameNum { previousOffset += sps.maxFrameNum }
        previousFrameNum = header.frameNum
        return previousOffset
    }

    /// Type 1: expected counts from a cycle, and differences to them (8.2.1.2).
    private mutating func cycleCount(_ header: H264SliceHeader, _ sps: H264SPS) -> Count {
        let cycle = sps.orderCycle
        var number = frameOffset(header, sps) + header.frameNum
        if cycle.offsets.isEmpty { number = 0 }
        if !header.isReference, number > 0 { number -= 1 }
        var expected = 0
        if number > 0 {
            let (cycles, rest) = (number - 1).quotientAndRemainder(dividingBy: cycle.offsets.count)
            expected = cycles * cycle.offsets.reduce(0, +) + cycle.offsets[...rest].reduce(0, +)
        }
        if !header.isReference { expected += cycle.offsetForNonReference }
        let top = expected + header.orderDelta0
        guard header.isField else {
            return Count(top: top, bottom: top + cycle.offsetTopToBottom + header.orderDelta1)
        }
        return header.isBottomField
            ? Count(top: nil, bottom: expected + cycle.offsetTopToBottom + header.orderDelta0)
            : Count(top: top, bottom: nil)
    }

    /// Type 2: the order of decoding (8.2.1.3).
    private mutating func decodingCount(_ header: H264SliceHeader, _ sps: H264SPS) -> Count {
        let number = 2 * (frameOffset(header, sps) + header.frameNum) - (header.isReference ? 0 : 1)
        let count = header.isIDR ? 0 : number
        if header.isField {
            return header.isBottomField ? Count(top: nil, bottom: count) : Count(top: count, bottom: nil)
        }
        return Count(top: count, bottom: count)
    }
}
