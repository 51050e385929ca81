import Shared

/// The clips of one track, found by time.
struct MixTrack {
    let clips: [MixClip]
    let volume: GainEnvelope
    /// Positions in `clips` by start, and the latest end among each and all before it.
    private let order: [Int]
    private let latestEnds: [Int64]

    init(clips: [MixClip], volume: GainEnvelope) {
        self.clips = clips
        self.volume = volume
        order = clips.indices.sorted { (clips[$0].target.lowerBound, $0) < (clips[$1].target.lowerBound, $1) }
        var latest = Int64.min
        latestEnds = order.map {
            latest = max(latest, clips[$0].target.upperBound)
            return latest
        }
    }

    /// The clips that sound somewhere in `range` of the timeline, in the order of the track's list: the order in which
    /// they are summed.
    func clips(in range: Range<Int64>) -> [MixClip] {
        var found: [Int] = []
        for place in firstPlace(endingAfter: range.lowerBound)..<order.count {
            let target = clips[order[place]].target
            if target.lowerBound >= range.upperBound { break }
            if target.overlaps(range) { found.append(order[place]) }
        }
        return found.sorted().map { clips[$0] }
    }

    private func firstPlace(endingAfter sample: Int64) -> Int {
        var (low, high) = (0, latestEnds.count)
        while low < high {
            let middle = (low + high) / 2
            if latestEnds[middle] > sample { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
