import Bitstream
import CompositionModel
import Foundation
import Timing

/// Finds the stretches of a stream that can be copied.
///
/// A group of pictures begins at an IDR picture, or at an intra picture that can be rewritten as one
/// (``H264EntryFinder``). It can be copied from there up to any packet before which, in decode order, stand exactly the
/// frames that are shown before it:
///
/// ```
/// decode order   I0  P4  B2  b1  b3 │ P8  B6  b5  b7 │ I9
/// ends behind     1              5                9
/// ```
struct CopyFactsBuilder {
    private let pictures: CodedPictures
    private let index: FrameIndex
    private var forms: [CodedForm] = []
    private var formOfSets: [Int: Int?] = [:]
    private var stretches: [CopyStretch] = []
    private var obstacles: [CopyObstacle] = []
    /// The position of the packet behind those of the last stretch.
    private var stretchEnd = 0

    private init(_ pictures: CodedPictures, _ index: FrameIndex) {
        self.pictures = pictures
        self.index = index
    }

    /// - Parameters:
    ///   - pictures: those of all packets.
    ///   - index: the index of the same packets.
    ///   - refusal: why no picture can be copied, by what is known beside the bitstream; nil when some can.
    static func facts(of pictures: CodedPictures, index: FrameIndex, refusal: CopyRefusal?) -> CopyFacts {
        if let refusal {
            return CopyFacts(forms: [], stretches: [], obstacles: [CopyObstacle(reason: refusal, frame: 0)])
        }
        var pictures = pictures
        pictures.finish()
        var builder = CopyFactsBuilder(pictures, index)
        builder.walk()
        return CopyFacts(
            forms: builder.forms,
            stretches: builder.stretches,
            obstacles: builder.obstacles,
            quantiserThousandths: pictures.quantiserThousandths,
            messages: index.facts(of: pictures.units.map(\.messages))
        )
    }

    private mutating func walk() {
        let numbers = index.frameNumbers()
        let misplaced = CopyOrder.misplaced(pictures.units, numbers)
        // Packets that were decoded so far and are shown, and whether the frames up to there are theirs.
        var (shownCount, highest): (Int64, Int64) = (0, -1)
        var group: CopyGroup?
        for (position, unit) in pictures.units.enumerated() where position < numbers.count {
            let number = numbers[position]
            if unit.isIDR {
                if let group { close(group) }
                let isWhole = highest + 1 == shownCount && number == shownCount
                group = begin(unit, number, at: position, isWhole: isWhole)
            } else if group == nil {
                group = beginOpen(unit, number, at: position, isFirst: number.map { $0 > highest } == true)
                if group == nil { refuse(.noEntry, number ?? highest + 1) }
            }
            if let number {
                shownCount += 1
                highest = max(highest, number)
            }
            guard var open = group, !open.leavesOut(unit) else { continue }
            if let reason = misplaced.contains(position) ? .order : reason(against: unit, number, in: open) {
                refuse(reason, number ?? highest + 1)
                close(open)
                group = nil
                continue
            }
            if let number { open.add(number, position: position, isEntry: unit.isOpenEntry) }
            group = open
        }
        if let group { close(group) }
    }

    private mutating func begin(
        _ unit: CodedPictures.Unit,
        _ number: Int64?,
        at position: Int,
        isWhole: Bool
    ) -> CopyGroup? {
        guard let number else {
            refuse(.hidden, 0)
            return nil
        }
        guard isWhole else {
            refuse(.order, number)
            return nil
        }
        guard let sets = unit.setsNumber, let form = form(of: sets) else {
            refuse(unit.refusal ?? .unreadable, number)
            return nil
        }
        return CopyGroup(first: number, form: form, setsNumber: sets, position: position)
    }

    /// A group at an intra picture behind one that cannot be copied.
    /// - Parameter isFirst: whether all pictures that were decoded before it are shown before it.
    private mutating func beginOpen(
        _ unit: CodedPictures.Unit,
        _ number: Int64?,
        at position: Int,
        isFirst: Bool
    ) -> CopyGroup? {
        guard unit.isOpenEntry, isFirst, let number, let order = unit.order, let sets = unit.setsNumber,
            let form = form(of: sets)
        else { return nil }
        return CopyGroup(first: number, form: form, setsNumber: sets, position: position, entryOrder: order)
    }

    private func reason(against unit: CodedPictures.Unit, _ number: Int64?, in group: CopyGroup) -> CopyRefusal? {
        if let refusal = unit.refusal { return refusal }
        guard let number else { return .hidden }
        if number < group.first { return .order }
        return unit.setsNumber == group.setsNumber ? nil : .parameterSetsChange
    }

    /// Adds a group, up to its last end, to the stretch before it where it follows that with the same form and no packet
    /// between them. What begins at a rewritten picture is a stretch of its own: behind other pictures it would refer to
    /// them.
    private mutating func close(_ group: CopyGroup) {
        guard let end = group.ends.last else { return }
        var stretch = CopyStretch(
            frames: FrameRange(start: group.first, count: 0),
            form: group.form,
            entries: FrameSet(),
            ends: FrameSet()
        )
        if let last = stretches.last, last.frames.end == group.first, last.form == group.form,
            group.entryOrder == nil, group.firstPosition == stretchEnd
        {
            stretch = stretches.removeLast()
        }
        let start = stretch.frames.start
        for entry in group.entries where entry < end { stretch.entries.insert(entry - start) }
        for end in group.ends { stretch.ends.insert(end - start) }
        stretch.frames = FrameRange(start: start, count: end - start)
        stretches.append(stretch)
        stretchEnd = group.endPosition
    }

    private mutating func refuse(_ reason: CopyRefusal, _ frame: Int64) {
        guard !obstacles.contains(where: { $0.reason == reason }) else { return }
        obstacles.append(CopyObstacle(reason: reason, frame: frame))
    }

    /// The position of the form of parameter sets; nil when they cannot be written into one record.
    private mutating func form(of setsNumber: Int) -> Int? {
        if let known = formOfSets[setsNumber] { return known }
        let sets = pictures.sets[setsNumber]
        guard let record = try? AVCConfiguration(sets).record(), let sps = sets.sps.min(by: { $0.key < $1.key })?.value
        else {
            formOfSets[setsNumber] = .some(nil)
            return nil
        }
        let (width, height) = sps.size
        let form = CodedForm(
            configuration: Data(record),
            profile: sps.profile,
            level: sps.level,
            chromaFormat: sps.chromaFormat,
            bits: max(sps.lumaBits, sps.chromaBits),
            size: PictureSize(width: width, height: height)
        )
        let position = forms.firstIndex(of: form) ?? forms.count
        if position == forms.count { forms.append(form) }
        formOfSets[setsNumber] = position
        return position
    }
}
