/// The reference frames that a decoder holds, and the lists that a slice makes of them (ITU-T H.264, 8.2.4 and 8.2.5).
///
/// Frames with short-term references are followed; fields and long-term references are an error.
package struct H264ReferencePictures: Hashable, Sendable {
    /// RefPicList0 and RefPicList1 of a slice, as long as the slice says.
    package struct Lists: Hashable, Sendable {
        /// The numbers that the caller gave the pictures; nil where no picture is there.
        package var list0: [Int?] = []
        package var list1: [Int?] = []
        /// A modification of a list names a picture that is not held.
        package var namesMissing = false

        /// Whether each place of the lists holds a picture.
        package var isComplete: Bool { !namesMissing && !list0.contains(nil) && !list1.contains(nil) }
    }

    private struct Picture: Hashable {
        /// The number that the caller gave it.
        var id: Int
        var frameNum: Int
        /// PicOrderCnt( ).
        var order: Int
    }

    /// In decoding order.
    private var held: [Picture] = []

    package init() {}

    /// The pictures that are held, by the numbers that the caller gave them, in decoding order.
    package var ids: [Int] { held.map(\.id) }
    package var count: Int { held.count }

    /// The lists of a slice of the next picture.
    /// - Parameter order: the picture's PicOrderCnt( ).
    /// - Throws: for a field, a long-term reference, and more modifications than a list has places.
    package func lists(of header: H264SliceHeader, order: Int, _ sps: H264SPS) throws(BitstreamError) -> Lists {
        guard !header.isField else { throw Self.unsupported("a field") }
        var lists = Lists()
        if header.type.isIntra { return lists }
        let (initial0, initial1) = initialLists(of: header, order: order, sps)
        lists.list0 = Self.cut(initial0, to: header.activeReferences0)
        lists.list1 = Self.cut(initial1, to: header.type == .b ? header.activeReferences1 : 0)
        let isFound0 = try modify(&lists.list0, by: header.modifications0 ?? [], header, sps)
        let isFound1 = try modify(&lists.list1, by: header.modifications1 ?? [], header, sps)
        lists.namesMissing = !isFound0 || !isFound1
        return lists
    }

    /// Takes the next picture, and marks those that are held as it says.
    /// - Parameters:
    ///   - id: a number that tells the picture from all others.
    ///   - order: its PicOrderCnt( ).
    /// - Throws: for a field, a long-term reference, a picture that forgets all others without being an IDR picture, and
    ///   more references than the SPS allows.
    package mutating func decode(
        _ header: H264SliceHeader,
        id: Int,
        order: Int,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        guard !header.isField else { throw Self.unsupported("a field") }
        guard header.isReference, let marking = header.marking else { return }
        let capacity = max(sps.maxReferenceFrames, 1)
        switch marking {
        case .idr(_, let isLongTerm):
            guard !isLongTerm else { throw Self.unsupported("a long-term reference") }
            held = []
        case .slidingWindow:
            while held.count >= capacity, let oldest = position(ofLeast: header, sps) { held.remove(at: oldest) }
        case .adaptive(let operations):
            try forget(operations, header, sps)
        }
        guard held.count < capacity else { throw Self.unsupported("more references than the SPS allows") }
        held.append(Picture(id: id, frameNum: header.frameNum, order: order))
    }

    private mutating func forget(
        _ operations: [H264ReferenceMarking.Operation],
        _ header: H264SliceHeader,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        for operation in operations {
            switch operation {
            case .forgetShortTerm(let difference):
                let number = header.frameNum - difference - 1
                held = held.filter { picNum(of: $0, header, sps) != number }
            case .limitLongTerm(0): break
            default: throw Self.unsupported("a long-term reference, or a picture that forgets all others")
            }
        }
    }

    /// PicNum of a frame, which is its FrameNumWrap (8.2.4.1).
    private func picNum(of picture: Picture, _ header: H264SliceHeader, _ sps: H264SPS) -> Int {
        picture.frameNum > header.frameNum ? picture.frameNum - sps.maxFrameNum : picture.frameNum
    }

    private func position(ofLeast header: H264SliceHeader, _ sps: H264SPS) -> Int? {
        held.indices.min { picNum(of: held[$0], header, sps) < picNum(of: held[$1], header, sps) }
    }

    /// The lists before they are cut and modified (8.2.4.2.1 and 8.2.4.2.3).
    private func initialLists(of header: H264SliceHeader, order: Int, _ sps: H264SPS) -> ([Int], [Int]) {
        guard header.type == .b else {
            let sorted = held.sorted { picNum(of: $0, header, sps) > picNum(of: $1, header, sps) }
            return (sorted.map(\.id), [])
        }
        let before = held.filter { $0.order < order }.sorted { $0.order > $1.order }.map(\.id)
        let after = held.filter { $0.order > order }.sorted { $0.order < $1.order }.map(\.id)
        let list0 = before + after
        var list1 = after + before
        if list1.count > 1, list1 == list0 { list1.swapAt(0, 1) }
        return (list0, list1)
    }

    private static func cut(_ list: [Int], to count: Int) -> [Int?] {
        (0..<count).map { $0 < list.count ? list[$0] : nil }
    }

    /// Puts the named pictures in front, one after the other (8.2.4.3.1).
    /// - Returns: whether all of them are held.
    private func modify(
        _ list: inout [Int?],
        by steps: [H264ListModification],
        _ header: H264SliceHeader,
        _ sps: H264SPS
    ) throws(BitstreamError) -> Bool {
        guard steps.count <= list.count else { throw Self.unsupported("more modifications than places in a list") }
        let (count, size) = (list.count, sps.maxFrameNum)
        var predicted = header.frameNum
        var isFound = true
        for (place, step) in steps.enumerated() {
            switch step {
            case .subtract(let difference): predicted -= difference + 1
            case .add(let difference): predicted += difference + 1
            case .longTerm: throw Self.unsupported("a long-term reference")
            }
            if predicted < 0 { predicted += size }
            if predicted >= size { predicted -= size }
            let number = predicted > header.frameNum ? predicted - size : predicted
            let id = held.first { picNum(of: $0, header, sps) == number }?.id
            isFound = isFound && id != nil
            let rest = list[place...].filter { id == nil || $0 != id }
            list = Array((list[..<place] + [id] + rest).prefix(count))
            while list.count < count { list.append(nil) }
        }
        return isFound
    }

    private static func unsupported(_ what: String) -> BitstreamError {
        BitstreamError(.unsupported(what), element: "slice_header", bit: 0)
    }
}
