import Bitstream
import CompositionModel
import Foundation
import Timing

/// Finds the stretches of an HEVC stream that can be copied.
///
/// A copy begins at an IDR, BLA or CRA picture: nothing behind it but its skipped leading pictures (RASL) refers to what
/// was before, and all leading pictures are shown before it, so that they belong to what comes before the copy. A copy that
/// began earlier goes on through such a picture with all of its leading pictures. It ends as one of H.264 does
/// (``CopyFactsBuilder``):
///
/// ```
/// decode order   I0  P4  B2  b1  b3 │ CRA8  RASL6  RASL5  RASL7 │ P12 …
/// may begin      0                    8
/// ends behind     1              5                             9
/// ```
struct HEVCCopyFacts {
    private let pictures: HEVCPictures
    private let numbers: [Int64?]
    private var facts = CopyFacts(forms: [], stretches: [], obstacles: [])
    private var formOfSets: [Int: Int?] = [:]
    private var group: Group?
    /// Frames that were decoded so far, and the highest of them.
    private var (shownCount, highest): (Int64, Int64) = (0, -1)
    /// Whether decoding begins anew at the next picture: the first, and one behind an end of sequence.
    private var isAtStart = true
    /// Whether packets were decoded since the last group that no copy has.
    private var isInterrupted = false

    private init(_ pictures: HEVCPictures, _ index: FrameIndex) {
        self.pictures = pictures
        numbers = index.frameNumbers()
    }

    /// - Parameter index: the index of the same packets.
    static func facts(of pictures: HEVCPictures, index: FrameIndex) -> CopyFacts {
        var builder = HEVCCopyFacts(pictures, index)
        for position in pictures.units.indices where position < builder.numbers.count { builder.take(position) }
        builder.close()
        builder.facts.quantiserThousandths = pictures.quantiserThousandths
        builder.facts.messages = index.facts(of: pictures.units.map(\.messages))
        return builder.facts
    }

    /// Consecutive packets in decode order that can be copied.
    private struct Group {
        /// The first frame that is shown of it.
        var first: Int64
        var form: Int
        var setsNumber: Int
        /// Whether no copy may go on into the group from what is before it.
        var isApart: Bool
        /// Whether decoders show no skipped leading pictures of the group's first picture.
        var isAnew: Bool
        var count: Int64 = 0
        var highest: Int64 = -1
        /// Frames at which a copy may begin.
        var entries: [Int64]
        /// Frames before which a copy may end.
        var ends: [Int64] = []
        /// The frame of the last IDR, BLA or CRA picture, and the first frame that was not decoded before it.
        var (entry, base): (Int64, Int64)
        /// Whether that picture is the group's first.
        var isInFirst = true
    }

    /// An IDR, BLA or CRA picture with its leading pictures.
    private struct Entry {
        var number: Int64
        /// The first frame that is shown of it and of its leading pictures, where all of those can be decoded from here
        /// on; else ``number``.
        var first: Int64
        /// Whether it and its leading pictures show the next frames, with none between that came before.
        var isWhole: Bool
    }

    private mutating func take(_ position: Int) {
        let (unit, number) = (pictures.units[position], numbers[position])
        if unit.entry != .none { enter(position) } else if group == nil { refuse(.noEntry, number) }
        add(unit, number)
        if let number {
            shownCount += 1
            highest = max(highest, number)
        }
        if group == nil { isInterrupted = true }
        isAtStart = unit.endsSequence
    }

    private mutating func enter(_ position: Int) {
        let unit = pictures.units[position]
        let entry = entry(at: position)
        let goesOn = unit.entry == .cra && !isAtStart && unit.setsNumber == group?.setsNumber
        if goesOn, let entry, entry.isWhole {
            group?.entries.append(entry.number)
            group?.entry = entry.number
            group?.base = shownCount
            group?.isInFirst = false
        } else {
            close()
            begin(unit, entry)
        }
    }

    private func entry(at position: Int) -> Entry? {
        guard let number = numbers[position] else { return nil }
        var (leading, hasSkipped): (Set<Int64>, Bool) = ([], false)
        for place in position + 1..<max(position + 1, min(numbers.count, pictures.units.count)) {
            guard let kind = pictures.units[place].leading else { break }
            if kind == .skipped { hasSkipped = true }
            if let shown = numbers[place] { leading.insert(shown) }
        }
        let isWhole = highest + 1 == shownCount && number >= shownCount && leading == Set(shownCount..<number)
        return Entry(number: number, first: hasSkipped || !isWhole ? number : shownCount, isWhole: isWhole)
    }

    private mutating func begin(_ unit: HEVCPictures.Unit, _ entry: Entry?) {
        guard let entry else { return refuse(.hidden, nil) }
        guard entry.isWhole else { return refuse(.order, entry.number) }
        guard let sets = unit.setsNumber, let form = form(of: sets) else {
            return refuse(unit.refusal ?? .unreadable, entry.number)
        }
        group = Group(
            first: entry.first,
            form: form,
            setsNumber: sets,
            isApart: isInterrupted || (unit.entry == .cra && isAtStart),
            isAnew: unit.entry == .bla || isAtStart,
            entries: [entry.number],
            entry: entry.number,
            base: shownCount
        )
        isInterrupted = false
    }

    private mutating func add(_ unit: HEVCPictures.Unit, _ number: Int64?) {
        guard var open = group else { return }
        // Leading pictures that are shown before the group belong to none.
        if open.isInFirst, unit.leading != nil, number.map({ $0 < open.first }) ?? true {
            if let number { refuse(unit.leading == .skipped && open.isAnew ? .skippedPictures : .noEntry, number) }
            return
        }
        if let reason = reason(against: unit, number, in: open) {
            refuse(reason, number)
            return close()
        }
        open.count += 1
        open.highest = max(open.highest, number ?? 0)
        if open.highest - open.first + 1 == open.count { open.ends.append(open.highest + 1) }
        group = open
    }

    private func reason(against unit: HEVCPictures.Unit, _ number: Int64?, in group: Group) -> CopyRefusal? {
        if let refusal = unit.refusal { return refusal }
        guard let number else { return .hidden }
        if unit.setsNumber != group.setsNumber { return .parameterSetsChange }
        if unit.entry != .none { return number == group.entry ? nil : .order }
        let isInOrder = unit.leading == nil ? number > group.entry : (group.base..<group.entry).contains(number)
        return isInOrder ? nil : .order
    }

    /// Adds the group, up to its last end, to the stretch before it where a copy may go on from that.
    private mutating func close() {
        defer { group = nil }
        guard let group, let end = group.ends.last else { return }
        if facts.stretches.last.map({ $0.frames.end != group.first || $0.form != group.form }) ?? true || group.isApart
        {
            let none = FrameRange(start: group.first, count: 0)
            facts.stretches.append(CopyStretch(frames: none, form: group.form, entries: FrameSet(), ends: FrameSet()))
        }
        let last = facts.stretches.count - 1
        let start = facts.stretches[last].frames.start
        for entry in group.entries where entry < end { facts.stretches[last].entries.insert(entry - start) }
        for end in group.ends { facts.stretches[last].ends.insert(end - start) }
        facts.stretches[last].frames = FrameRange(start: start, count: end - start)
    }

    private mutating func refuse(_ reason: CopyRefusal, _ number: Int64?) {
        facts.refuse(reason, number ?? highest + 1)
    }

    /// The position of the form of parameter sets; nil when they cannot be written into one record.
    private mutating func form(of setsNumber: Int) -> Int? {
        if let known = formOfSets[setsNumber] { return known }
        let form = CodedForm(pictures.sets[setsNumber])
        let position = form.map { facts.forms.firstIndex(of: $0) ?? facts.forms.count }
        if let form, position == facts.forms.count { facts.forms.append(form) }
        formOfSets[setsNumber] = position
        return position
    }
}

extension CodedForm {
    /// - Returns: nil when the sets cannot be written into one record.
    fileprivate init?(_ sets: HEVCParameterSets) {
        guard let record = try? HEVCConfiguration(sets).record(),
            let sps = sets.sps.min(by: { $0.key < $1.key })?.value
        else { return nil }
        let (width, height) = sps.size
        self.init(
            configuration: Data(record),
            profile: sps.profileTierLevel.profile.idc,
            level: sps.profileTierLevel.level,
            chromaFormat: sps.chromaFormat,
            bits: max(sps.lumaBits, sps.chromaBits),
            size: PictureSize(width: width, height: height)
        )
    }
}
