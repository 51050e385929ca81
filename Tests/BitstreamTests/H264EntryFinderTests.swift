import Bitstream
import Foundation
import TestSupport
import Testing

/// Which intra pictures are found to be entries, of streams whose headers are made by hand.
@Suite struct H264EntryFinderTests {
    private let sps: H264SPS = {
        var sps = H264SPS()
        (sps.maxReferenceFrames, sps.log2MaxFrameNum, sps.log2MaxOrderLSB) = (2, 8, 8)
        return sps
    }()

    /// - Parameters:
    ///   - type: slice_type: 5 P, 6 B, 7 I.
    ///   - order: the picture's count.
    ///   - active: the pictures of list 0, and of list 1 in a B picture.
    private func slice(
        _ type: Int,
        _ number: Int,
        order: Int,
        active: Int = 1,
        isReference: Bool = true
    ) -> H264SliceHeader {
        var header = H264SliceHeader()
        (header.typeNumber, header.frameNum, header.orderLSB) = (type, number, order)
        header.referenceIDC = isReference ? 1 : 0
        header.marking = isReference ? .slidingWindow : nil
        header.activeReferences0 = type == 7 ? 0 : active
        header.activeReferences1 = type == 6 ? active : 0
        return header
    }

    private var idr: H264SliceHeader {
        var header = slice(7, 0, order: 0)
        header.unitType = .idrSlice
        header.marking = .idr(discardsPrior: false, isLongTerm: false)
        return header
    }

    /// I0 P1 I2 b P3 …, where P3 has `active` pictures in its list.
    private func stream(active: Int, changed: (inout H264SliceHeader) -> Void = { _ in }) -> [H264SliceHeader] {
        var third = slice(5, 3, order: 8, active: active)
        changed(&third)
        let rest = (4...40).map { slice(5, $0, order: 2 * $0 + 2) }
        return [
            idr, slice(5, 1, order: 2), slice(7, 2, order: 6), slice(6, 3, order: 4, isReference: false), third,
        ] + rest
    }

    private func entries(_ slices: [H264SliceHeader]) -> [Int] {
        var finder = H264EntryFinder()
        for slice in slices { _ = finder.add([slice], sps, isPlain: true) }
        finder.finish()
        return finder.entries
    }

    /// P3 refers to I2 alone, or to P1 too.
    @Test func whatRefersToNothingBeforeIsAnEntry() {
        #expect(entries(stream(active: 1)) == [2])
        #expect(entries(stream(active: 2)) == [])
        // P1 is named, and stands in front of I2.
        #expect(entries(stream(active: 1) { $0.modifications0 = [.subtract(1)] }) == [])
        #expect(entries(stream(active: 1) { $0.modifications0 = [.subtract(0)] }) == [2])
    }

    /// What is not followed, or an intra picture that is no reference, gives no entry.
    @Test func inDoubtThereIsNone() {
        var field = stream(active: 1)
        field[4].isField = true
        #expect(entries(field) == [])
        var unread = H264EntryFinder()
        for (number, slice) in stream(active: 1).enumerated() {
            _ = unread.add(number == 4 ? [] : [slice], sps, isPlain: true)
        }
        unread.finish()
        #expect(unread.entries == [])
        var odd = H264EntryFinder()
        for (number, slice) in stream(active: 1).enumerated() {
            _ = odd.add([slice], sps, isPlain: number != 1)
        }
        odd.finish()
        // What a decoder holds behind a picture that is not plain is not known before it is full again.
        #expect(odd.entries == [])
        var plain = stream(active: 1)
        plain[2].referenceIDC = 0
        plain[2].marking = nil
        #expect(entries(plain) == [])
    }

    /// Without an IDR picture at its start a stream has no entry before the buffer is full.
    @Test func aStreamWithoutAStart() {
        var slices = (0...40).map { slice($0 % 10 == 0 ? 7 : 5, $0, order: 2 * $0) }
        #expect(entries(slices) == [10, 20, 30, 40])
        for number in 11...14 { slices[number].activeReferences0 = 2 }
        #expect(entries(slices) == [20, 30, 40])
    }

    /// A picture that is shown before an entry is late when it comes after that was proved.
    @Test func leadingPicturesComeSoon() {
        var slices = stream(active: 1)
        slices.append(slice(6, 41, order: 5, isReference: false))
        var finder = H264EntryFinder()
        let findings = slices.map { finder.add([$0], sps, isPlain: true) }
        finder.finish()
        #expect(finder.entries == [2] && findings.map(\.isLate) == [Bool](repeating: false, count: 42) + [true])
    }

    @Test func aReferenceThatIsMissingIsSeen() {
        var slices = stream(active: 1)
        slices[8].modifications0 = [.subtract(4)]
        var finder = H264EntryFinder()
        let findings = slices.map { finder.add([$0], sps, isPlain: true) }
        #expect(findings.indices.filter { findings[$0].namesMissing } == [8])
    }
}

/// The lists of reference pictures, against those that the standard's clauses give by hand.
@Suite struct H264ReferencePicturesTests {
    private var sps: H264SPS {
        var sps = H264SPS()
        (sps.maxReferenceFrames, sps.log2MaxFrameNum) = (4, 4)
        return sps
    }

    private func header(_ type: Int, _ number: Int, _ counts: (Int, Int)) -> H264SliceHeader {
        var header = H264SliceHeader()
        (header.typeNumber, header.frameNum, header.referenceIDC) = (type, number, 1)
        (header.activeReferences0, header.activeReferences1) = counts
        header.marking = .slidingWindow
        return header
    }

    /// Frames 14, 15, 0, 1 of numbers modulo 16 and counts 0, 8, 4, 12.
    private func filled() throws -> H264ReferencePictures {
        var pictures = H264ReferencePictures()
        for (id, order) in [0, 8, 4, 12].enumerated() {
            try pictures.decode(header(5, (14 + id) % 16, (1, 0)), id: id, order: order, sps)
        }
        return pictures
    }

    @Test func listsBegin() throws {
        let pictures = try filled()
        #expect(try pictures.lists(of: header(5, 2, (4, 0)), order: 20, sps).list0 == [3, 2, 1, 0])
        #expect(try pictures.lists(of: header(5, 2, (2, 0)), order: 20, sps).list0 == [3, 2])
        #expect(try pictures.lists(of: header(5, 2, (6, 0)), order: 20, sps).list0 == [3, 2, 1, 0, nil, nil])
        let both = try pictures.lists(of: header(6, 2, (4, 4)), order: 6, sps)
        #expect(both.list0 == [2, 0, 1, 3] && both.list1 == [1, 3, 2, 0])
        // Both lists are equal: the first two of list 1 change places.
        let last = try pictures.lists(of: header(6, 2, (4, 2)), order: 20, sps)
        #expect(last.list0 == [3, 1, 2, 0] && last.list1 == [1, 3])
    }

    @Test func listsAreModified() throws {
        let pictures = try filled()
        var slice = header(5, 2, (3, 0))
        // 2 − 3 is 15; then 15 + 2 is 1.
        slice.modifications0 = [.subtract(2), .add(1)]
        #expect(try pictures.lists(of: slice, order: 20, sps).list0 == [1, 3, 2])
        // The same picture twice, a whole turn away.
        slice.modifications0 = [.subtract(0), .subtract(15)]
        #expect(try pictures.lists(of: slice, order: 20, sps).list0 == [3, 3, 2])
        slice.modifications0 = [.subtract(4)]
        let missing = try pictures.lists(of: slice, order: 20, sps)
        #expect(missing.namesMissing && missing.list0 == [nil, 3, 2])
        slice.modifications0 = [.longTerm(0)]
        #expect(throws: BitstreamError.self) { try pictures.lists(of: slice, order: 20, sps) }
    }

    @Test func picturesAreForgotten() throws {
        var pictures = try filled()
        try pictures.decode(header(5, 2, (1, 0)), id: 4, order: 20, sps)
        #expect(pictures.ids == [1, 2, 3, 4])
        var slice = header(5, 3, (1, 0))
        slice.marking = .adaptive([.forgetShortTerm(1), .limitLongTerm(0)])
        try pictures.decode(slice, id: 5, order: 24, sps)
        #expect(pictures.ids == [1, 2, 4, 5])
        slice.marking = .adaptive([.forgetShortTerm(14)])
        slice.frameNum = 4
        #expect(throws: BitstreamError.self) { try pictures.decode(slice, id: 6, order: 26, sps) }
        slice.marking = .adaptive([.forgetAll])
        #expect(throws: BitstreamError.self) { try pictures.decode(slice, id: 6, order: 26, sps) }
    }
}
