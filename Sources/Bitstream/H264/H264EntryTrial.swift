/// Tries what becomes of the pictures behind an intra picture when that is rewritten as an IDR picture: each must refer
/// to the same pictures as before, in lists of the same order.
struct H264EntryTrial: Hashable, Sendable {
    /// The intra picture's number.
    let entry: Int
    /// PicOrderCnt( ) of the intra picture in its stream. Pictures below it are left out.
    let entryOrder: Int
    /// The pictures since the entry, those that are left out among them.
    private(set) var pictureCount = 0
    /// The pictures since the entry that are kept.
    private(set) var keptCount = 0
    private var numbers: H264IDREntry
    private var order = H264PictureOrder()
    private var references = H264ReferencePictures()

    /// - Throws: when the picture cannot be rewritten.
    init(entry: Int, slices: [H264SliceHeader], order entryOrder: Int, _ sps: H264SPS) throws(BitstreamError) {
        guard let first = slices.first else { throw Self.different }
        self.entry = entry
        self.entryOrder = entryOrder
        numbers = try H264IDREntry(entry: first, sps: sps, id: 0)
        let rewritten = try numbers.rewritten(first)
        guard order.next(rewritten, sps).value == 0 else { throw Self.different }
        try references.decode(rewritten, id: entry, order: 0, sps)
    }

    /// Takes the next picture in decoding order.
    /// - Parameters:
    ///   - slices: the headers of the picture's slices in its stream.
    ///   - lists: the reference pictures of each slice there.
    ///   - order: its PicOrderCnt( ) there.
    ///   - number: the picture's number.
    /// - Throws: when the picture would refer to others, or cannot be rewritten.
    mutating func add(
        _ slices: [H264SliceHeader],
        _ lists: [H264ReferencePictures.Lists],
        order count: Int,
        number: Int,
        _ sps: H264SPS
    ) throws(BitstreamError) {
        guard let first = slices.first else { throw Self.different }
        pictureCount += 1
        try numbers.begin(first, isDropped: count < entryOrder)
        guard count > entryOrder else {
            if count == entryOrder { throw Self.different }
            return
        }
        keptCount += 1
        let head = try numbers.rewritten(first)
        guard order.next(head, sps).value == count - entryOrder else { throw Self.different }
        for (slice, wanted) in zip(slices, lists) {
            let found = try references.lists(of: numbers.rewritten(slice), order: count - entryOrder, sps)
            guard found == wanted, wanted.isComplete else { throw Self.different }
        }
        try references.decode(head, id: number, order: count - entryOrder, sps)
    }

    /// Whether a decoder of the rewritten stream holds the pictures that one of the stream itself holds: then it makes
    /// the same lists from here on.
    func holds(_ other: H264ReferencePictures) -> Bool { references.ids == other.ids }

    private static let different = BitstreamError(
        .unsupported("an entry behind which pictures refer to what came before it"),
        element: "slice_header",
        bit: 0
    )
}
