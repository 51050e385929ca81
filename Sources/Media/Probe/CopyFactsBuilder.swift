import Bitstream
import CompositionModel
import Foundation
import Timing

/// Finds the stretches of a stream that can be copied.
///
/// A group of pictures begins at an IDR picture. It can be copied from there up to any packet before which, in decode
/// order, stand exactly the frames that are shown before it:
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

    private init(_ pictures: CodedPictures, _ index: FrameIndex) {
        self.pictures = pictures
        self.index = index
    }

    /// - Parameters:
    ///   - index: the index of the same packets.
    ///   - isInterlaced: whether the stream's first decoded picture is interlaced.
    static func facts(of pictures: CodedPictures, index: FrameIndex, isInterlaced: Bool) -> CopyFacts {
        guard !isInterlaced else {
            return CopyFacts(forms: [], stretches: [], obstacles: [CopyObstacle(reason: .interlaced, frame: 0)])
        }
        var builder = CopyFactsBuilder(pictures, index)
        builder.walk()
        return CopyFacts(
            forms: builder.forms,
            stretches: builder.stretches,
            obstacles: builder.obstacles,
            quantiserThousandths: pictures.quantiserThousandths
        )
    }

    private mutating func walk() {
        let numbers = index.frameNumbers()
        // Packets that were decoded so far and are shown, and whether the frames up to there are theirs.
        var (shownCount, highest): (Int64, Int64) = (0, -1)
        var group: Group?
        for (position, unit) in pictures.units.enumerated() where position < numbers.count {
            let number = numbers[position]
            if unit.isIDR {
                if let group { close(group) }
                group = begin(unit, number, isWhole: highest + 1 == shownCount && number == shownCount)
            } else if group == nil {
                refuse(.noEntry, number ?? highest + 1)
            }
            if let number {
                shownCount += 1
                highest = max(highest, number)
            }
            guard var open = group else { continue }
            if let reason = reason(against: unit, number, in: open) {
                refuse(reason, number ?? highest + 1)
                close(open)
                group = nil
                continue
            }
            open.count += 1
            open.highest = max(open.highest, number ?? 0)
            if open.highest - open.first + 1 == open.count { open.ends.append(open.highest + 1) }
            group = open
        }
        if let group { close(group) }
    }

    private struct Group {
        var first: Int64
        var form: Int
        var setsNumber: Int
        var count: Int64 = 0
        var highest: Int64
        /// Frames before which a copy may end.
        var ends: [Int64] = []
    }

    private mutating func begin(_ unit: CodedPictures.Unit, _ number: Int64?, isWhole: Bool) -> Group? {
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
        return Group(first: number, form: form, setsNumber: sets, highest: number)
    }

    private func reason(against unit: CodedPictures.Unit, _ number: Int64?, in group: Group) -> CopyRefusal? {
        if let refusal = unit.refusal { return refusal }
        guard let number else { return .hidden }
        if number < group.first { return .order }
        return unit.setsNumber == group.setsNumber ? nil : .parameterSetsChange
    }

    /// Adds a group, up to its last end, to the stretch before it where it follows that with the same form.
    private mutating func close(_ group: Group) {
        guard let end = group.ends.last else { return }
        var stretch = CopyStretch(
            frames: FrameRange(start: group.first, count: 0),
            form: group.form,
            entries: FrameSet(),
            ends: FrameSet()
        )
        if let last = stretches.last, last.frames.end == group.first, last.form == group.form {
            stretch = stretches.removeLast()
        }
        let start = stretch.frames.start
        stretch.entries.insert(group.first - start)
        for end in group.ends { stretch.ends.insert(end - start) }
        stretch.frames = FrameRange(start: start, count: end - start)
        stretches.append(stretch)
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
