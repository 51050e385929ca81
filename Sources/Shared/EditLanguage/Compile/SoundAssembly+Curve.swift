import CompositionModel
import Timing

extension SoundAssembly {
    /// The time-remap curve in samples of the edit and of the source: at each time of a knot, also between two samples,
    /// the source is where the picture shows it.
    /// - Parameters:
    ///   - source: where the segment begins, in seconds from the stream's start.
    ///   - first: the source's sample there, from which the curve counts.
    ///   - place: the first sample on the timeline, and the unit of the segment's places.
    func curve(
        along remap: TimeRemapCurve,
        from source: RationalTime,
        first: Int64,
        of stream: AudioStreamFacts,
        _ placed: PlacedSegment,
        at place: (sample: Int64, unit: RationalTime)
    ) throws(TimeError) -> SoundCurve {
        let millionth = Int64(SoundCurve.unit)
        let target = try RationalTime(1, Int64(sampleRate) * millionth)
        let own = try RationalTime(1, Int64(stream.sampleRate) * millionth)
        let begin = try RationalTime(placed.start, of: place.unit)
        let start = try source.count(of: own).value - first * millionth
        var curve = SoundCurve(samples: [], positions: [], speeds: [], holds: placed.segment.holdsSound ? true : nil)
        let share = rate.frameDuration.approximateSeconds * Double(stream.sampleRate)
        for knot in remap.knots {
            curve.samples.append(try begin.adding(knot.at).count(of: target).value - place.sample * millionth)
            let whole = try RationalTime(knot.whole, RetimeCurve.unit).multiplied(by: rate.frameDuration)
            curve.positions.append(try start + whole.count(of: own).value + Int64((knot.rest * share).rounded()))
            curve.speeds.append(knot.speed)
        }
        return curve
    }
}
