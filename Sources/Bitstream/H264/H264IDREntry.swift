/// Makes an intra picture of an open GOP the IDR picture that a copied span begins with, and renumbers what follows it up
/// to the next IDR picture.
///
/// ```
/// decoding order   I8 b4 B6 b5 b7 P12 …        I8 becomes IDR 0
///                  └┬┘└────┬────┘ └─┬─┘        b4 … b7 are dropped: they refer to what came before I8
///                  entry leading   renumbered
/// ```
///
/// A picture is renumbered in frame_num and pic_order_cnt_lsb; its list modifications and memory management operations
/// name other pictures by differences of frame_num, which grow smaller by the reference pictures that were dropped.
package struct H264IDREntry: Hashable, Sendable {
    private let sps: H264SPS
    /// idr_pic_id.
    private let id: Int
    /// pic_order_cnt_lsb that becomes 0.
    private let orderShift: Int
    /// frame_num of the current picture, unwrapped, in the old numbers.
    private var oldNumber: Int
    /// frame_num of the current picture, unwrapped, in the new numbers.
    private var newNumber = 0
    /// The current picture's first slice.
    private var current: H264SliceHeader
    private var isAtEntry = true
    /// Whether ``held`` has what the current picture does to it.
    private var isDecoded = false
    /// New frame numbers of the reference pictures that a decoder holds, by old ones; both unwrapped.
    private var held: [Int: Int] = [:]

    /// - Parameters:
    ///   - entry: of the intra picture's first slice.
    ///   - id: idr_pic_id, 0 … 65535: another than that of an IDR picture just before.
    /// - Throws: for a picture that is no reference, a field, order type 1 and frame numbers with gaps: not tried.
    package init(entry: H264SliceHeader, sps: H264SPS, id: Int) throws(BitstreamError) {
        guard entry.isReference, !entry.isField, sps.orderType != 1, !sps.allowsFrameNumGaps else {
            throw Self.unsupported("an entry at such a picture")
        }
        self.sps = sps
        self.id = id
        // The smaller of an IDR frame's two counts is 0 (8.2.1).
        orderShift = entry.orderLSB + min(entry.orderDeltaBottom, 0)
        oldNumber = entry.frameNum
        current = entry
        current.marking = .idr(discardsPrior: false, isLongTerm: false)
    }

    /// Goes on to the next picture in decoding order; the first is the entry itself and needs no call.
    /// - Parameters:
    ///   - header: of its first slice.
    ///   - isDropped: it is left out, being shown before the entry.
    /// - Throws: for what was not tried: fields, and dropped pictures that manage the memory of others.
    package mutating func begin(_ header: H264SliceHeader, isDropped: Bool) throws(BitstreamError) {
        guard !header.isField else { throw Self.unsupported("a field behind an entry") }
        if !isDecoded { try decode() }
        isAtEntry = false
        // frame_num grows by one after each reference picture (7.4.3).
        var step = (header.frameNum - oldNumber) % sps.maxFrameNum
        if step < 0 { step += sps.maxFrameNum }
        oldNumber += step
        if isDropped {
            guard case .adaptive(let operations) = header.marking else { return }
            guard try marked(operations).isEmpty else {
                throw Self.unsupported("memory management in a dropped picture")
            }
            return
        }
        if current.isReference { newNumber += 1 }
        current = header
        isDecoded = false
    }

    /// What a decoder does to what it holds when it has decoded the current picture (8.2.5).
    private mutating func decode() throws(BitstreamError) {
        isDecoded = true
        guard current.isReference else { return }
        let number = newNumber
        if case .adaptive(let operations) = try rewritten(current).marking {
            for case .forgetShortTerm(let difference) in operations {
                for (old, new) in held where new == number - difference - 1 { held[old] = nil }
            }
        } else if held.count >= max(sps.maxReferenceFrames, 1), let oldest = held.keys.min() {
            held[oldest] = nil
        }
        held[oldNumber] = number
    }

    /// A slice's header as it becomes, of the picture that was begun last and is not dropped.
    /// - Throws: for a reference to a picture that is not there any more, and for what was not tried.
    package func rewritten(_ header: H264SliceHeader) throws(BitstreamError) -> H264SliceHeader {
        var header = header
        header.shift(frames: newNumber - oldNumber, order: -orderShift, sps)
        if isAtEntry { return try entry(header) }
        header.modifications0 = try modified(header.modifications0)
        header.modifications1 = try modified(header.modifications1)
        if case .adaptive(let operations) = header.marking {
            header.marking = .adaptive(try room(try marked(operations)))
        }
        return header
    }

    private func entry(_ header: H264SliceHeader) throws(BitstreamError) -> H264SliceHeader {
        guard header.type.isIntra else {
            throw BitstreamError(.outOfRange(header.typeNumber), element: "slice_type", bit: 0)
        }
        var header = header
        header.unitType = .idrSlice
        header.referenceIDC = max(header.referenceIDC, 1)
        header.idrID = id
        header.marking = .idr(discardsPrior: false, isLongTerm: false)
        return header
    }

    /// Each step is a difference to the number that the step before gave (8.2.4.3.1).
    private func modified(_ steps: [H264ListModification]?) throws(BitstreamError) -> [H264ListModification]? {
        guard let steps else { return nil }
        var (old, new) = (oldNumber, newNumber)
        var result: [H264ListModification] = []
        for step in steps {
            let size = sps.maxFrameNum
            switch step {
            case .subtract(let difference): old -= difference + 1
            case .add(let difference): old += difference + 1
            case .longTerm: throw Self.longTerm
            }
            // Differences are modulo MaxPicNum; a reference is at most so far back, and never ahead.
            if old > oldNumber { old -= size }
            if old <= oldNumber - size { old += size }
            guard let target = held[old] else { throw Self.missing }
            // A picture that is listed again, with other weights, is a whole turn away.
            result.append(target > new ? .add(target - new - 1) : .subtract((target < new ? new - target : size) - 1))
            new = target
        }
        return result
    }

    private func marked(
        _ operations: [H264ReferenceMarking.Operation]
    ) throws(BitstreamError) -> [H264ReferenceMarking.Operation] {
        var result: [H264ReferenceMarking.Operation] = []
        for operation in operations {
            switch operation {
            case .forgetShortTerm(let difference):
                // A picture that is no reference any more need not be taken out of the buffer.
                guard let target = held[oldNumber - difference - 1] else { continue }
                result.append(.forgetShortTerm(newNumber - target - 1))
            // There are no long-term references, and this allows none.
            case .limitLongTerm(0): result.append(operation)
            default: throw Self.longTerm
            }
        }
        return result
    }

    /// Operations that leave a place for the picture itself. Where dropped pictures took places, the decoder now holds
    /// some that were pushed out before: the oldest, to which nothing refers any more.
    private func room(
        _ operations: [H264ReferenceMarking.Operation]
    ) throws(BitstreamError) -> [H264ReferenceMarking.Operation] {
        var operations = operations
        var left = Set(held.values)
        for case .forgetShortTerm(let difference) in operations { left.remove(newNumber - difference - 1) }
        while left.count >= max(sps.maxReferenceFrames, 1), let oldest = left.min() {
            left.remove(oldest)
            operations.append(.forgetShortTerm(newNumber - oldest - 1))
        }
        return operations
    }

    private static let longTerm = unsupported("a long-term reference behind an entry")
    private static let missing = unsupported("a reference to a picture before an entry")

    private static func unsupported(_ what: String) -> BitstreamError {
        BitstreamError(.unsupported(what), element: "slice_header", bit: 0)
    }
}
