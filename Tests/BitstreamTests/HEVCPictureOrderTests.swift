import Bitstream
import Testing

/// Picture order counts computed by hand from ITU-T H.265, 8.3.1, with low bits of 4.
@Suite struct HEVCPictureOrderTests {
    private let sps = HEVCSPS()

    private func header(_ type: HEVCUnitType, _ lsb: Int, temporalID: Int = 0) -> HEVCSliceHeader {
        var header = HEVCSliceHeader()
        header.unit = HEVCUnitHeader(type: type, temporalID: temporalID)
        header.orderLSB = lsb
        return header
    }

    @Test func countsWrap() {
        var order = HEVCPictureOrder()
        #expect(order.next(header(.idrWithRADL, 0), sps) == 0)
        #expect(order.next(header(.trailR, 7), sps) == 7)
        #expect(order.next(header(.trailR, 14), sps) == 14)
        #expect(order.next(header(.trailR, 3), sps) == 19)
        // Behind in output order, before the low bits wrapped.
        #expect(order.next(header(.trailR, 15), sps) == 15)
        #expect(order.next(header(.trailR, 4), sps) == 20)
        #expect(order.next(header(.idrWithoutLeadingPictures, 0), sps) == 0)
    }

    /// Each would move the window of 16 by so much that the picture behind it came out elsewhere.
    @Test(
        arguments: [
            (HEVCUnitType.trailN, 0), (.trailR, 1), (HEVCUnitType(rawValue: 7), 0), (.rasl, 0),
        ]
    ) func picturesThatOthersDoNotCountFrom(type: HEVCUnitType, temporalID: Int) {
        var order = HEVCPictureOrder()
        _ = order.next(header(.idrWithRADL, 0), sps)
        #expect(order.next(header(.trailR, 2), sps) == 2)
        #expect(order.next(header(type, 9, temporalID: temporalID), sps) == 9)
        #expect(order.next(header(.trailR, 1), sps) == 1)
    }

    /// The first picture, one behind an end of sequence, and a BLA picture have no high bits; another CRA picture has.
    @Test func entriesWithoutHighBits() {
        var order = HEVCPictureOrder()
        #expect(order.next(header(.cra, 9), sps) == 9)
        #expect(order.next(header(.trailR, 15), sps) == 15)
        #expect(order.next(header(.cra, 3), sps) == 19)
        #expect(order.next(header(.blaWithRADL, 5), sps) == 5)
        #expect(order.next(header(.trailR, 13), sps, endsSequence: true) == 13)
        #expect(order.next(header(.cra, 2), sps) == 2)
    }

    /// Low bits of 4: 3 − 9 and 5 − 9 are 10 and 12, of the picture and of a long-term reference alike.
    @Test func movedCountsWrap() throws {
        var moved = header(.trailR, 3)
        moved.longTerm = HEVCLongTermReferences()
        moved.longTerm?.pictures = [.init(orderLSB: 5)]
        try moved.shift(order: -9, sps)
        #expect(moved.orderLSB == 10 && moved.longTerm?.pictures.map(\.orderLSB) == [12])
        moved.longTerm?.pictures = [.init(spsIndex: 0)]
        #expect(throws: BitstreamError.self) { try moved.shift(order: 1, sps) }
        var idr = header(.idrWithRADL, 0)
        try idr.shift(order: 7, sps)
        #expect(idr.orderLSB == 0)
    }
}
