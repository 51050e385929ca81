import CompositionModel
import Timing

/// The clips of one track, found by time.
struct MixTrack {
    let clips: [MixClip]
    let volume: GainEnvelope
    let panning: Panning
    let processors: [SoundProcessor]?
    let duck: Duck?
    /// Positions in `clips` by start, and the latest end among each and all before it.
    private let order: [Int]
    private let latestEnds: [Int64]

    /// - Parameter clips: the clips of the track, in the order of its segments.
    init(_ track: AudioTrack, clips: [MixClip]) {
        self.clips = clips
        volume = GainEnvelope(track.volume)
        panning = Panning(pan: track.pan, balance: track.balance, isMono: false)
        (processors, duck) = (track.processors, track.duck)
        order = clips.indices.sorted { (clips[$0].target.lowerBound, $0) < (clips[$1].target.lowerBound, $1) }
        var latest = Int64.min
        latestEnds = order.map {
            latest = max(latest, clips[$0].target.upperBound)
            return latest
        }
    }

    /// The clips that sound somewhere in `range` of the timeline, in the order of the track's list: the order in which
    /// they are summed.
    func clips(in range: Range<Int64>) -> [MixClip] { clipIndexes(in: range).map { clips[$0] } }

    /// The positions in ``clips`` of those that sound somewhere in `range`, ascending.
    func clipIndexes(in range: Range<Int64>) -> [Int] {
        var found: [Int] = []
        for place in firstPlace(endingAfter: range.lowerBound)..<order.count {
            let target = clips[order[place]].target
            if target.lowerBound >= range.upperBound { break }
            if target.overlaps(range) { found.append(order[place]) }
        }
        return found.sorted()
    }

    private func firstPlace(endingAfter sample: Int64) -> Int { latestEnds.partitionPoint { $0 > sample } }
}
