public import Timing

/// A layer's own time, after Core Animation's CAMediaTiming: it begins at `begin` of what encloses the layer and runs
/// at `speed`; with a duration it runs from its start to there, and again. Before and after it stands still.
/// ```
/// duration 2, total 5         /| /|/       duration 2, total 8, there and back      /\  /\
///                            / |/ ·····                                            /  \/  \·····
/// ```
public struct LayerTiming: Sendable, Hashable, Codable {
    /// Seconds of what encloses the layer.
    public var begin: RationalTime
    /// The layer's seconds for a second of what encloses it; above 0.
    public var speed: RationalTime
    /// The layer's seconds of one run, above 0; nil runs on.
    public var duration: RationalTime?
    /// The layer's seconds of all runs together; nil runs for ever.
    public var total: RationalTime?
    /// Every other run goes backwards.
    public var autoreverses: Bool

    public init(
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

    /// The layer's time at `time` of what encloses it.
    public func time(at time: RationalTime) throws(TimeError) -> RationalTime {
        var own = max(.zero, try time.subtracting(begin).multiplied(by: speed))
        guard let duration, duration > .zero else { return own }
        if let total { own = min(own, total) }
        let runs = try own.count(of: duration, rounding: .down).value
        let rest = try own.subtracting(RationalTime(runs, of: duration))
        // At the very end of all runs the last one is seen complete.
        let isEnd = rest == .zero && runs > 0 && own == total
        let (run, way) = isEnd ? (runs - 1, duration) : (runs, rest)
        return autoreverses && run % 2 == 1 ? try duration.subtracting(way) : way
    }
}
