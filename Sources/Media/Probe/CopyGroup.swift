/// Consecutive pictures in decode order that can be copied, from the first on.
struct CopyGroup {
    /// The first shown frame.
    let first: Int64
    /// The position in ``CopyFacts/forms``.
    let form: Int
    let setsNumber: Int
    /// The position of the first picture's packet.
    let firstPosition: Int
    /// The position of the packet behind the last one before which a copy may end.
    private(set) var endPosition: Int
    /// PicOrderCnt( ) of the first picture where that is to be rewritten as an IDR picture; nil where it is one.
    let entryOrder: Int?
    /// Frames at which a copy may begin.
    private(set) var entries: [Int64] = []
    /// Frames before which a copy may end.
    private(set) var ends: [Int64] = []
    private var count: Int64 = 0
    private var highest: Int64

    init(first: Int64, form: Int, setsNumber: Int, position: Int, entryOrder: Int? = nil) {
        (firstPosition, endPosition) = (position, position)
        self.first = first
        self.form = form
        self.setsNumber = setsNumber
        self.entryOrder = entryOrder
        highest = first
    }

    /// Whether a picture is left out, being shown before the rewritten picture that the group begins with.
    func leavesOut(_ unit: CodedPictures.Unit) -> Bool {
        guard let entryOrder, let order = unit.order else { return false }
        return order < entryOrder
    }

    /// Takes the next picture.
    /// - Parameters:
    ///   - number: the shown frame that it is.
    ///   - position: the position of its packet.
    ///   - isEntry: whether it can be rewritten as an IDR picture. Then it is an entry where all frames that were decoded
    ///     before it are shown before it.
    mutating func add(_ number: Int64, position: Int, isEntry: Bool) {
        if count == 0 || (isEntry && number > highest) { entries.append(number) }
        count += 1
        highest = max(highest, number)
        guard highest - first + 1 == count else { return }
        ends.append(highest + 1)
        endPosition = position + 1
    }
}
