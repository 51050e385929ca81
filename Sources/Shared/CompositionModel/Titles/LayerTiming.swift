package import Timing

/// A layer's own time, after Core Animation's CAMediaTiming: it begins at `begin` of its parent's time and runs at
/// `speed`. With a duration it runs for that long, again and again. Before its start and after its total it stands
/// still.
/// ```
/// duration 2, total 5         /| /|/       duration 2, total 8, there and back      /\  /\
///                            / |/ ·····                                            /  \/  \·····
/// ```
package struct LayerTiming: Sendable, Hashable, Codable {
    /// The parent's time at which the layer's time is 0, in seconds.
    package var begin: RationalTime
    /// The layer's seconds per second of its parent; above 0.
    package var speed: RationalTime
    /// The length of one run in the layer's seconds, above 0; nil means one run without end.
    package var duration: RationalTime?
    /// The length of all runs together in the layer's seconds; nil means for ever.
    package var total: RationalTime?
    /// Whether every other run goes backwards.
    package var autoreverses: Bool

    package init(
        begin: RationalTime = .zero,
        speed: RationalTime = RationalTime(whole: 1),
        duration: RationalTime? = nil,
        total: RationalTime? = nil,
        autoreverses: Bool = false
    ) {
        self.begin = begin
        self.speed = speed
        self.duration = duration
        self.total = total
        self.autoreverses = autoreverses
    }

    /// The layer's time at `time` of its parent, in seconds.
    /// - Throws: ``TimeError/overflow`` when a time does not fit.
    package func time(at time: RationalTime) throws(TimeError) -> RationalTime {
        var own = max(.zero, try time.subtracting(begin).multiplied(by: speed))
        guard let duration, duration > .zero else { return own }
        if let total { own = min(own, total) }
        let runs = try own.count(of: duration, rounding: .down).value
        let rest = try own.subtracting(RationalTime(runs, of: duration))
        // At the end of all runs the last one is shown complete.
        let isEnd = rest == .zero && runs > 0 && own == total
        let (run, way) = isEnd ? (runs - 1, duration) : (runs, rest)
        return autoreverses && run % 2 == 1 ? try duration.subtracting(way) : way
    }
}
