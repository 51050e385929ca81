import CompositionModel
import Timing

extension SliceInstruction {
    /// Whether a source of this run plays on in `next`, the run directly after it. A run without sources is continued
    /// by another one alone: both show the background.
    func isContinued(by next: SliceInstruction, _ frameDuration: RationalTime) throws(PlanError) -> Bool {
        try PlanError.step(1 + layers.count + next.layers.count)
        let (sources, following) = (layers.flatMap(\.sources), next.layers.flatMap(\.sources))
        if sources.isEmpty || following.isEmpty { return sources.isEmpty && following.isEmpty }
        var beginnings: Set<PlayingSource> = []
        for source in following { beginnings.insert(PlayingSource(source, at: source.start)) }
        for source in sources {
            let end = try exact { () throws(TimeError) in
                try source.start.advanced(
                    by: frames.count,
                    of: frameDuration,
                    speed: source.speed,
                    curve: source.curve
                )
            }
            if beginnings.contains(PlayingSource(source, at: end)) { return true }
        }
        return false
    }
}

extension SliceLayer {
    fileprivate var sources: [SliceSource] { [from, to].compactMap(\.self) }
}

/// What is shown of a source, without how it is shown.
private struct PlayingSource: Hashable {
    let asset: Int
    let stream: Int
    let isNested: Bool
    let time: RationalTime

    init(_ source: SliceSource, at time: RationalTime) {
        (asset, stream, isNested) = (source.asset, source.stream, source.isNested == true)
        self.time = time
    }
}
