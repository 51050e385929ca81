import CompositionModel
import Timing

/// Gathers the packets of one picture stream, in decode order, and makes its index of them.
struct PictureTrackBuilder {
    /// Entry points further apart than this make recovery points entries too. An IDR is certain, a recovery point is
    /// the encoder's promise: it is only taken where a jump would else decode ten seconds and more.
    private static let farEntry = 300

    let streamIndex: Int
    let timeBase: RationalTime
    private(set) var packets: [FrameIndex.Entry] = []
    private(set) var units: [AccessUnit] = []
    private var durations: [Int64] = []
    /// Packets without a pts: the container stores none, and order must come from the bitstream.
    private(set) var missingTimes = 0
    /// Whether the container states the pts of each packet.
    private var timed: [Bool] = []

    init(streamIndex: Int, timeBase: RationalTime) {
        self.streamIndex = streamIndex
        self.timeBase = timeBase
    }

    /// Appends the next packet in decode order.
    mutating func add(_ entry: FrameIndex.Entry, unit: AccessUnit, duration: Int64, hasTime: Bool) {
        packets.append(entry)
        units.append(unit)
        durations.append(duration)
        timed.append(hasTime)
        if !hasTime { missingTimes += 1 }
    }

    /// Replaces every packet's pts, in decode order; nil for one that shows nothing.
    /// - Parameter isAnchored: the first shown packet that has a time keeps it, and the others stand around it: sound
    ///   goes by the same clock.
    mutating func setTimes(_ times: [Int64?], isAnchored: Bool) {
        let first = times.indices.filter { times[$0] != nil && timed[$0] }.min { (times[$0] ?? 0) < (times[$1] ?? 0) }
        let shift = first.map { packets[$0].pts - (times[$0] ?? 0) } ?? 0
        for (position, time) in times.enumerated() {
            guard let time else {
                units[position] = .invisible
                continue
            }
            packets[position].pts = time + (isAnchored ? shift : 0)
        }
        missingTimes = 0
    }

    /// Pts of what is shown, ascending: not hidden by the edit list, and decodable from the first entry point on.
    func shownTimes() -> [Int64] { shownPositions().map { packets[$0].pts }.sorted() }

    /// Whether two shown packets claim one moment, as the fields of a picture may.
    var hasDoubleTimes: Bool {
        let times = shownTimes()
        return zip(times, times.dropFirst()).contains { $0 == $1 }
    }

    /// Pts at which the last shown frame ends: by its own duration, else by the distance of the last two.
    func endTime() -> Int64? {
        guard let last = shownPositions().max(by: { packets[$0].pts < packets[$1].pts }) else { return nil }
        let times = shownTimes()
        let distance = times.count > 1 ? times[times.count - 1] - times[times.count - 2] : 1
        return packets[last].pts + (durations[last] > 0 ? durations[last] : max(1, distance))
    }

    var firstDuration: Int64? { durations.first.flatMap { $0 > 0 ? $0 : nil } }

    func index(origin: Int64, constantFrameDuration: RationalTime?) -> FrameIndex? {
        guard let end = endTime() else { return nil }
        var marked = packets
        let needsRecoveryPoints = longestGroup > Self.farEntry
        for (position, unit) in units.enumerated() {
            marked[position].isEntryPoint = unit == .entry || (unit == .recoveryPoint && needsRecoveryPoints)
            if unit == .invisible { marked[position].isDiscarded = true }
        }
        if let first = firstEntry { marked[first].isEntryPoint = true }
        return FrameIndex(
            streamIndex: streamIndex,
            timeBase: timeBase,
            origin: origin,
            constantFrameDuration: constantFrameDuration,
            packets: marked,
            shown: shownTimes(),
            endPts: end
        )
    }

    /// Packets from one entry point to the next, at most.
    private var longestGroup: Int {
        let entries = units.indices.filter { units[$0] == .entry }
        return zip([0] + entries, entries + [units.count]).map { $1 - $0 }.max() ?? 0
    }

    /// The first packet a decoder can start at: an entry point, else whatever the demuxer calls key.
    private var firstEntry: Int? {
        let entry = units.firstIndex(of: .entry)
        let key = packets.firstIndex { $0.isKey }
        return switch (entry, key) {
        case (let entry?, let key?): min(entry, key)
        default: entry ?? key
        }
    }

    private func shownPositions() -> [Int] {
        guard let first = firstEntry else { return [] }
        let second = units[(first + 1)...].firstIndex(of: .entry) ?? packets.count
        return packets.indices.filter { position in
            guard position >= first, !packets[position].isDiscarded, units[position] != .invisible else { return false }
            if position > second || units[position] == .decodableLeading { return true }
            // Leading pictures of the very first entry miss what they refer to.
            return units[position] != .skippedLeading && packets[position].pts >= packets[first].pts
        }
    }

    // MARK: Clocks that begin anew

    /// The clock of each packet, by its bytes: the clock with number n ends with `borders[n]`.
    private func clockNumbers(_ borders: [Int64]) -> [Int] {
        var number = 0
        return packets.map { packet in
            if packet.position >= 0 { number = borders.partitionPoint { $0 > packet.position } }
            return number
        }
    }

    /// The ticks by which the pictures of each clock are moved, so that they begin where those of the clock before end.
    /// - Parameter borders: the first byte of each clock but the first.
    func shifts(joining borders: [Int64]) -> [Int64] {
        var times = [[Int64]](repeating: [], count: borders.count + 1)
        for (position, number) in clockNumbers(borders).enumerated() where !packets[position].isDiscarded {
            times[number].append(packets[position].pts)
        }
        var shifts = [Int64](repeating: 0, count: times.count)
        var end: Int64?
        for number in times.indices {
            let own = times[number].sorted()
            guard let first = own.first, let last = own.last else {
                shifts[number] = number > 0 ? shifts[number - 1] : 0
                continue
            }
            shifts[number] = end.map { $0 - first } ?? 0
            let distance = own.count > 1 ? last - own[own.count - 2] : durations.first ?? 0
            end = last + shifts[number] + max(distance, 1)
        }
        return shifts
    }

    /// Moves the pictures of each clock.
    mutating func shift(by shifts: [Int64], at borders: [Int64]) {
        for (position, number) in clockNumbers(borders).enumerated() { packets[position].pts += shifts[number] }
    }

    /// The pts of the first shown picture whose packet lies in `bytes`.
    func firstTime(in bytes: Range<Int64>) -> Int64? {
        shownPositions().filter { bytes.contains(packets[$0].position) }.map { packets[$0].pts }.min()
    }

    /// The byte position of the first shown picture; nil where it is not known.
    var firstPosition: Int64? {
        let first = shownPositions().min { packets[$0].pts < packets[$1].pts }
        return first.map { packets[$0].position }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The pts of the packet at a byte position; nil where there is none.
    func time(at position: Int64) -> Int64? { packets.first { $0.position == position }?.pts }
}
