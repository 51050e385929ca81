package import CompositionModel
import Timing

/// The samples of its tracks that a mix needs, so that a piece of it can be made alone.
package enum SoundWindows {
    /// The range of timeline samples in which each track's clips are needed, so that the samples `heard` can be mixed.
    /// - Returns: One range per track, in the order of `tracks`.
    package static func tracks(
        _ tracks: [AudioTrack],
        _ master: MasterMix?,
        for heard: Range<Int64>,
        sampleRate: Int
    ) -> [Range<Int64>] {
        let limiters = [master?.loudness?.limiter, master?.limiter].compactMap(\.self)
        let limited = limiters.reduce(heard) { ([$1] as [SoundProcessor]?).needed(for: $0, sampleRate: sampleRate) }
        let whole = (master?.processors).needed(for: limited, sampleRate: sampleRate)
        var windows = tracks.map { _ in whole }
        for duck in tracks.compactMap(\.duck) {
            let (before, after) = reach(of: duck, sampleRate: sampleRate)
            for index in duck.under where windows.indices.contains(index) {
                let start = min(windows[index].lowerBound, max(whole.lowerBound - before, 0))
                windows[index] = start..<max(windows[index].upperBound, whole.upperBound + after)
            }
        }
        return zip(tracks, windows).map { $0.processors.needed(for: $1, sampleRate: sampleRate) }
    }

    /// The samples before and after a place that ducking listens to, with the hundredths of a second that cross its
    /// borders.
    private static func reach(of duck: Duck, sampleRate: Int) -> (before: Int64, after: Int64) {
        let samples = { (millionths: Int64) in (millionths * Int64(sampleRate)) / 1_000_000 + 1 }
        let blocks = 3 * Int64(sampleRate / 100 + 2)
        return (samples(duck.hold) + samples(duck.release) + blocks, samples(duck.attack) + blocks)
    }
}

extension AudioTrackSegment {
    /// The samples of the clip, counted from its start, that `window` of the timeline needs, with what its processors
    /// need; empty when the clip lies outside `window`.
    package func needed(in window: Range<Int64>, sampleRate: Int) -> Range<Int64> {
        let part = (start..<start + count).clamped(to: window)
        let own = part.lowerBound - start..<part.upperBound - start
        return processors.needed(for: own, sampleRate: sampleRate).clamped(to: 0..<count)
    }

    /// The source samples that the clip's own samples `range` are made of, with a margin for the resampler.
    func sourceReach(_ range: Range<Int64>, sourceRate: Int, sampleRate: Int) -> Range<Int64> {
        if let curve { return sourceReach(range, along: curve, sourceRate: sourceRate, sampleRate: sampleRate) }
        let speed = speed.map { abs(Double($0.numerator) / Double($0.denominator)) } ?? 1
        let plain = Double(sourceRate) / Double(sampleRate)
        let ratio = plain * speed
        // Taps of the resampler, on either side; frames of stretched sound, which begins at the clip's start.
        var margin = Int64((100 * max(1, ratio) + 16).rounded(.up))
        if keepsPitch == true { margin += Int64(100 * max(1, plain)) + Int64(sourceRate) / 4 }
        let first = keepsPitch == true ? 0 : Int64((Double(range.lowerBound) * ratio).rounded(.down))
        // A frame of stretched sound may begin behind what is asked for.
        let behind = keepsPitch == true ? Int64(sampleRate) / 4 : 0
        let end = Int64((Double(range.upperBound + behind) * ratio).rounded(.up))
        let isBackwards = self.speed?.isNegative ?? false
        let lower = (isBackwards ? sourceStart - end : sourceStart + first) - margin
        let upper = (isBackwards ? sourceStart - first : sourceStart + end) + margin
        guard let loop else { return lower..<upper }
        return min(lower, loop.start)..<max(upper, loop.start + loop.count)
    }

    private func sourceReach(
        _ range: Range<Int64>,
        along curve: SoundCurve,
        sourceRate: Int,
        sampleRate: Int
    ) -> Range<Int64> {
        let path = SoundPath(curve, sourceRate: sourceRate, sampleRate: sampleRate)
        // Stretched from the clip's start, in frames that may begin behind what is asked for.
        let isKept = keepsPitch == true
        let bounds = path.bounds(of: isKept ? 0..<range.upperBound + Int64(sampleRate) / 4 : range)
        var margin = Int64((100 * max(1, bounds.steepest) + 16).rounded(.up))
        if isKept { margin += Int64(100 * max(1, Double(sourceRate) / Double(sampleRate))) + Int64(sourceRate) / 4 }
        return sourceStart + bounds.lowest - margin..<sourceStart + bounds.highest + margin
    }
}
