import CompositionModel
import Timing

// Transitions between segments, and between a segment and nothing.
extension TrackLayout {
    /// Gives what `pending` says to the start of segment `index`: shared with the one before it, or against the
    /// background.
    mutating func fadeIn(_ index: Int) throws(TimeError) {
        guard let pending else { return }
        self.pending = nil
        let start = placed[index].start
        let isShared = isTouching && index > 0
        let end =
            isShared
            ? placed[index - 1].end
            : try grid.position(RationalTime(start, of: grid.unit).adding(pendingDuration))
        if isShared, try reachesBack(past: start) { return tooLong(pending, for: placed[index - 1]) }
        let neighbours = isShared ? [index - 1, index] : [index]
        let transition = transition(pending, from: start, to: end, isShared: isShared)
        guard let transition, fits(transition, neighbours) else { return }
        placed[index].fadeIn = transition
        if isShared { placed[index - 1].fadeOut = transition }
    }

    /// Whether the pending transition would have to begin before the timeline does: the first segment is too short for
    /// it.
    private func reachesBack(past start: Int64) throws(TimeError) -> Bool {
        guard start == 0 else { return false }
        return try cursor.subtracting(pendingDuration).isNegative
    }

    private func tooLong(_ transition: EditTransition, for segment: PlacedSegment) {
        let count = (try? pendingDuration.count(of: grid.unit).value) ?? 0
        let numbers = "\(length(count)), but segment \"\(segment.asset)\" has only \(length(segment.count))"
        log.error(transition.mark, .transitionTooLong, "the transition lasts \(numbers)")
    }

    /// Gives what `pending` says to the end of segment `index`, against the background.
    mutating func fadeOut(_ index: Int) throws(TimeError) {
        guard let pending else { return }
        self.pending = nil
        guard isTouching else { return }
        let end = placed[index].end
        let start = try grid.position(RationalTime(end, of: grid.unit).subtracting(pendingDuration))
        let transition = transition(pending, from: start, to: end, isShared: false)
        guard let transition, fits(transition, [index]) else { return }
        placed[index].fadeOut = transition
    }

    private func transition(
        _ pending: EditTransition,
        from start: Int64,
        to end: Int64,
        isShared: Bool
    ) -> PlacedTransition? {
        guard end > start else {
            let message = "\(TimeWords.seconds(pendingDuration)) is shorter than one \(unitName)"
            log.error(pending.duration.mark, .tooShort, message)
            return nil
        }
        let shape = pending.audio?.value ?? .equalPower
        return PlacedTransition(
            start: start,
            end: end,
            shape: shape,
            look: pending.look,
            map: pending.map.flatMap(sources.map),
            isShared: isShared,
            mark: pending.mark
        )
    }

    private func fits(_ transition: PlacedTransition, _ neighbours: [Int]) -> Bool {
        let short = neighbours.map { placed[$0] }.filter { $0.count < transition.count }
        for segment in short {
            let numbers =
                "\(length(transition.count)), but segment \"\(segment.asset)\" has only \(length(segment.count))"
            log.error(transition.mark, .transitionTooLong, "the transition lasts \(numbers)")
        }
        return short.isEmpty
    }

    /// Two transitions may share a segment only while they do not overlap.
    func checkMeeting(_ segment: PlacedSegment) {
        guard let fadeIn = segment.fadeIn, let fadeOut = segment.fadeOut else { return }
        guard fadeIn.count + fadeOut.count > segment.count else { return }
        let both = "\(length(fadeIn.count)) and \(length(fadeOut.count))"
        let message =
            "the transitions on both sides of segment \"\(segment.asset)\" last \(both), together more than it"
        log.error(segment.segment.mark, .transitionsMeet, "\(message): it has \(length(segment.count))")
    }

    private func length(_ count: Int64) -> String {
        let time = (try? RationalTime(count, of: grid.unit)).map(TimeWords.seconds) ?? ""
        return "\(Count.of(count, unitName)) (\(time))"
    }
}
