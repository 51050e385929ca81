import Timing

/// The clocks of an MP4 file, chosen so that no edit list is rounded.
struct MovieTimescale: Equatable {
    /// Ticks per second of the picture track: the rate's numerator, doubled until it is at least 10,000, as players
    /// expect of a track.
    var track: Int32?
    /// Ticks per second of the movie: the least common multiple of the track's and of the sample rate.
    var movie: Int32?

    init(frameRate: FrameRate?, sampleRate: Int?) {
        track = frameRate.flatMap { Self.track($0) }
        let picture = track.map(Int64.init) ?? 1
        let sound = sampleRate.map(Int64.init) ?? 1
        movie = Int32(exactly: picture / commonDivisor(picture, sound) * sound)
    }

    private static func track(_ rate: FrameRate) -> Int32? {
        var ticks = rate.numerator
        while ticks < 10_000 { ticks *= 2 }
        return Int32(exactly: ticks)
    }
}

private func commonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    second == 0 ? first : commonDivisor(second, first % second)
}
