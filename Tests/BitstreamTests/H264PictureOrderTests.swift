import Bitstream
import Testing

/// Picture order counts of what x264 does not write, computed by hand from ITU-T H.264, 8.2.1.
@Suite struct H264PictureOrderTests {
    private func header(_ change: (inout H264SliceHeader) -> Void) -> H264SliceHeader {
        var header = H264SliceHeader()
        (header.referenceIDC, header.marking) = (1, .slidingWindow)
        change(&header)
        return header
    }

    private func idr(_ change: (inout H264SliceHeader) -> Void = { _ in }) -> H264SliceHeader {
        header { header in
            header.unitType = .idrSlice
            header.marking = .idr(discardsPrior: false, isLongTerm: false)
            change(&header)
        }
    }

    /// I p b p b: a reference every 4 counts, what is no reference 2 before the last one.
    @Test func typeOne() {
        var sps = H264SPS()
        (sps.orderType, sps.log2MaxFrameNum) = (1, 4)
        sps.orderCycle.offsets = [4, 6]
        sps.orderCycle.offsetForNonReference = -2
        sps.orderCycle.offsetTopToBottom = 1
        var order = H264PictureOrder()
        #expect(order.next(idr(), sps) == .init(top: 0, bottom: 1))
        #expect(order.next(header { $0.frameNum = 1 }, sps) == .init(top: 4, bottom: 5))
        let other = header { ($0.frameNum, $0.referenceIDC, $0.marking) = (2, 0, nil) }
        #expect(order.next(other, sps) == .init(top: 2, bottom: 3))
        #expect(
            order.next(header { ($0.frameNum, $0.orderDelta0, $0.orderDelta1) = (2, 1, 5) }, sps)
                == .init(top: 11, bottom: 17)
        )
        #expect(order.next(header { $0.frameNum = 3 }, sps).top == 14)
        // Number 16 is frame_num 0 again: 8 cycles of 10.
        #expect(order.next(header { $0.frameNum = 0 }, sps).top == 80)
        let bottom = header { ($0.frameNum, $0.isField, $0.isBottomField, $0.orderDelta0) = (1, true, true, 3) }
        #expect(order.next(bottom, sps) == .init(top: nil, bottom: 88))
        #expect(order.next(idr(), sps).value == 0)
    }

    @Test func typeTwo() {
        var sps = H264SPS()
        (sps.orderType, sps.log2MaxFrameNum) = (2, 4)
        var order = H264PictureOrder()
        #expect(order.next(idr(), sps).value == 0)
        #expect(order.next(header { ($0.frameNum, $0.referenceIDC) = (1, 0) }, sps).value == 1)
        #expect(order.next(header { $0.frameNum = 1 }, sps).value == 2)
        #expect(order.next(header { $0.frameNum = 15 }, sps).value == 30)
        #expect(order.next(header { $0.frameNum = 0 }, sps).value == 32)
    }

    /// Low bits of 4: they wrap forward and backward, from the last reference picture on.
    @Test func typeZeroWraps() {
        let sps = H264SPS()
        var order = H264PictureOrder()
        #expect(order.next(idr { $0.orderDeltaBottom = 1 }, sps) == .init(top: 0, bottom: 1))
        #expect(order.next(header { $0.orderLSB = 8 }, sps).value == 8)
        #expect(order.next(header { ($0.orderLSB, $0.orderDeltaBottom) = (0, -1) }, sps) == .init(top: 16, bottom: 15))
        #expect(order.next(header { ($0.orderLSB, $0.referenceIDC) = (14, 0) }, sps).value == 14)
        #expect(order.next(header { $0.orderLSB = 4 }, sps).value == 20)
        let top = header { ($0.orderLSB, $0.isField) = (6, true) }
        #expect(order.next(top, sps) == .init(top: 22, bottom: nil))
        let bottom = header { ($0.orderLSB, $0.isField, $0.isBottomField) = (7, true, true) }
        #expect(order.next(bottom, sps) == .init(top: nil, bottom: 23))
    }

    /// A picture that forgets all others keeps its count; those behind it count from it as from an IDR picture.
    @Test func countsBeginAnewBehindOneThatForgetsAll() {
        let sps = H264SPS()
        var order = H264PictureOrder()
        _ = order.next(idr(), sps)
        #expect(order.next(header { $0.orderLSB = 6 }, sps).value == 6)
        let forgetting = header { header in
            (header.orderLSB, header.orderDeltaBottom) = (12, -4)
            header.marking = .adaptive([.forgetAll])
        }
        #expect(order.next(forgetting, sps) == .init(top: 12, bottom: 8))
        // Its top is now 4, its bottom 0.
        #expect(order.next(header { $0.orderLSB = 6 }, sps).value == 6)
    }
}
